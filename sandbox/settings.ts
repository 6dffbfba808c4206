import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { SandboxPaths } from './paths.js';
import { readJson, writePrivate } from './private-file.js';
import type { Dialect } from '../core/dialect/dialect.js';

/**
 * Settings that stay the same for a sandbox's lifetime, so that addresses, tokens and Terraform
 * states stay valid.
 */
export interface SandboxSettings {
  /** The HTTPS port of the sandbox, for services, identity provider and apps. */
  readonly port: number;
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** The application as which Terraform and castellan's own commands (the toolkit) sign in. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The object id of its service principal. */
  readonly clientObjectId: string;
  /** Authenticates the command line to the background process. */
  readonly adminToken: string;
  /** The header value of the managed identity endpoint. */
  readonly identityHeader: string;
  /** Signs cookies of the identity provider. */
  readonly cookieKey: string;
  /** Signs tokens: an RSA key as a private JWK, created at the first start. */
  readonly signingKey?: Readonly<Record<string, unknown>>;
}

/**
 * Ports to try: below the system's range for outgoing connections, so that the same one is free
 * again later.
 */
const portRange = { first: 20_000, count: 12_000 };
/** The distance between two candidates. */
const portStep = 7;
const maxCandidates = 50;

/** Reads the settings; undefined before the first start. */
export function readSettings(paths: SandboxPaths): SandboxSettings | undefined {
  return readJson<SandboxSettings>(paths.settings);
}

/** Writes the settings, for their owner only. */
export function writeSettings(paths: SandboxPaths, settings: SandboxSettings): void {
  writePrivate(paths.settings, `${JSON.stringify(settings, undefined, 2)}\n`);
}

/** New settings for a port, with random ids and keys. */
export function createSettings(port: number): SandboxSettings {
  return {
    port,
    tenantId: randomUUID(),
    subscriptionId: randomUUID(),
    clientId: randomUUID(),
    clientSecret: randomBytes(24).toString('base64url'),
    clientObjectId: randomUUID(),
    adminToken: randomBytes(24).toString('base64url'),
    identityHeader: randomBytes(24).toString('base64url'),
    cookieKey: randomBytes(32).toString('base64url'),
  };
}

/** The ports to try for a folder, in order: the first one follows from its path. */
export function candidatePorts(folder: string): number[] {
  const { first, count } = portRange;
  const preferred = createHash('sha256').update(folder).digest().readUInt32BE(0) % count;
  return Array.from(
    { length: maxCandidates },
    (_, attempt) => first + ((preferred + attempt * portStep) % count),
  );
}

/** How the sandbox runs an app, beyond a container app's declaration in the cloud. */
export interface AppSettings {
  /**
   * Runs in a shell in the working directory, with the port to listen on in `PORT`.
   *
   * @default the image by Docker, otherwise a page that shows the request
   */
  readonly command?: string;
  /** @default the project's folder */
  readonly workingDirectory?: string;
  /** The image built for it, instead of the declared one. */
  readonly image?: string;
  /** Shows each request as the app would get it, instead of running the image. @default false */
  readonly page?: boolean;
  /** Environment variables in addition to the declared ones. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Whether the app's sign-in layer uses the words of the specifications, or the cloud's.
   *
   * @default 'neutral'
   */
  readonly dialect?: Dialect;
  /**
   * Whether the app declares sign-in: it is not served before its sign-in settings have been
   * applied.
   *
   * @default false
   */
  readonly requiresAuth?: boolean;
}

/** The settings of every app, by its name. */
export type AppSettingsByName = Readonly<Record<string, AppSettings>>;

/** Reads the stored settings of the apps. */
export function readAppSettings(paths: SandboxPaths): AppSettingsByName {
  return readJson<AppSettingsByName>(paths.apps) ?? {};
}

/** Writes the settings of the apps; a running sandbox is notified separately. */
export function writeAppSettings(paths: SandboxPaths, settings: AppSettingsByName): void {
  writePrivate(paths.apps, `${JSON.stringify(settings, undefined, 2)}\n`);
}
