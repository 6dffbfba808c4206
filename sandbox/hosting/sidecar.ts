import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import { cliPath, errorPrefix } from '../command-line.js';
import { readJson, writePrivate } from '../private-file.js';
import { endProcess, type Processes } from './processes.js';
import type { Workload } from './workload.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** The paths of the files of an app's sign-in layer. */
export interface SidecarFiles {
  readonly folder: string;
  /** The sign-in settings, in JSON. */
  readonly config: string;
  /** A folder with a file for each secret, of its name. */
  readonly secrets: string;
  /** The issuer in place of the directory's own. */
  readonly endpoints: string;
  /** A SQLite database. */
  readonly tokenStore: string;
}

/** The shared context of all apps' sign-in layers. */
export interface SidecarContext {
  readonly processes: Processes;
  /** The folder that has a folder for each app, named like the app. */
  readonly hostingFolder: string;
  /** The certificate of the local authority, which signs the identity provider's certificate. */
  readonly caFile: string;
  /** The file of the sandbox's clock, which sessions follow. */
  readonly clockFile: string;
  /** The sandbox's identity provider, which replaces the directory's. */
  readonly issuer: string;
  /** The folder with the theme of the layers' pages. @default the sidecar's own theme */
  readonly themeFolder?: string;
  /** Variables with which a layer sends its spans to the sandbox. */
  readonly spanVariables?: Readonly<Record<string, string>>;
}

/** The names of the secrets with the sandbox's own keys. */
const keySecretNames = {
  signing: 'castellan-sandbox-signing-key',
  encryption: 'castellan-sandbox-encryption-key',
};

/** The files of an app's sign-in layer. */
export function sidecarFiles(hostingFolder: string, app: string): SidecarFiles {
  const folder = join(hostingFolder, app);
  const inside = (name: string): string => join(folder, name);
  return {
    folder,
    config: inside('auth.json'),
    secrets: inside('secrets'),
    endpoints: inside('endpoints.json'),
    tokenStore: inside('tokens.db'),
  };
}

/** Writes an app's sign-in settings and secrets to the files of its sidecars. */
export function writeSidecarFiles(context: SidecarContext, app: DeclaredApp): SidecarFiles {
  const files = sidecarFiles(context.hostingFolder, app.name);
  mkdirSync(files.secrets, { recursive: true, mode: 0o700 });
  const values = new Map(
    app.secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
  );
  const auth = app.auth ?? {};
  const keys = (auth['encryptionSettings'] ?? {}) as Record<string, string | undefined>;
  // If the app provides no keys, the sandbox's own keep sessions valid across replicas and restarts.
  const ownKeys = loadOrCreateKeys(files);
  const signing = keys['containerAppAuthSigningSecretName'] ?? keySecretNames.signing;
  const encryption = keys['containerAppAuthEncryptionSecretName'] ?? keySecretNames.encryption;
  values.set(keySecretNames.signing, ownKeys.signing);
  values.set(keySecretNames.encryption, ownKeys.encryption);
  for (const [name, value] of values) writePrivate(join(files.secrets, name), value);
  for (const name of readdirSync(files.secrets))
    if (!values.has(name)) rmSync(join(files.secrets, name), { force: true });
  writePrivate(
    files.endpoints,
    JSON.stringify({ azureActiveDirectory: { issuer: context.issuer } }),
  );
  const config = {
    ...auth,
    // The ingress of the sandbox is the trusted proxy and sets these headers.
    httpSettings: {
      ...(auth['httpSettings'] as object | undefined),
      forwardProxy: { convention: 'Standard' },
    },
    encryptionSettings: {
      containerAppAuthSigningSecretName: signing,
      containerAppAuthEncryptionSecretName: encryption,
    },
  };
  writePrivate(files.config, JSON.stringify({ properties: config }, undefined, 2));
  return files;
}

/**
 * Starts a sign-in layer for a workload. When the promise resolves, the layer is ready, or
 * `failure()` returns the reason.
 *
 * @returns its port, and functions that make it read its files again and stop it
 */
export async function startSidecar(
  context: SidecarContext,
  files: SidecarFiles,
  {
    app,
    upstreamPort,
    origins,
    dialect,
    writeOutput,
  }: {
    readonly app: string;
    readonly upstreamPort: number;
    readonly origins: readonly string[];
    readonly dialect: Dialect;
    /** Called with what the layer logs. */
    readonly writeOutput?: (text: string) => void;
  },
): Promise<Pick<Workload, 'port' | 'failure' | 'stop'> & { reload(): void }> {
  const { config, secrets, endpoints, tokenStore } = files;
  const options = {
    config,
    secrets,
    endpoints,
    dialect,
    upstream: `http://127.0.0.1:${upstreamPort}`,
    listen: '127.0.0.1:0',
    'public-origin': origins.join(),
    'trusted-proxies': '127.0.0.1/32',
    'token-store': `sqlite:${tokenStore}`,
    'log-level': 'info',
    clock: context.clockFile,
    ...omitUndefined({ pages: context.themeFolder }),
  };
  const args = [
    'sidecar',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
  const { PATH, HOME } = process.env;
  const child = context.processes.spawn(process.execPath, [cliPath(), ...args], {
    cwd: files.folder,
    // Not the sandbox's own environment: the layer gets secrets from its folder only.
    env: {
      ...context.spanVariables,
      PATH,
      HOME,
      NODE_EXTRA_CA_CERTS: context.caFile,
      OTEL_SERVICE_NAME: `${app} sign-in`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let failure: string | undefined;
  let lastOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-4000);
    writeOutput?.(text);
  });
  const exit = new Promise<undefined>((done) => {
    child.once('error', (error) => {
      failure = error.message;
      done(undefined);
    });
    child.once('close', (code, signal) => {
      failure ??=
        errorMessageIn(lastOutput) ?? `it ended (${signal ?? `exit code ${String(code)}`})`;
      done(undefined);
    });
  });
  const { stdout } = child;
  const firstLine =
    stdout === null
      ? undefined
      : await Promise.race([
          new Promise<string>((done) => createInterface({ input: stdout }).once('line', done)),
          exit,
        ]);
  const listening =
    firstLine === undefined
      ? undefined
      : (JSON.parse(firstLine) as { listening: string }).listening;
  return {
    port: listening === undefined ? 0 : Number(new URL(listening).port),
    failure: () => failure,
    reload: () => void child.kill('SIGHUP'),
    stop: () => endProcess(child),
  };
}

/** The sandbox's own keys for an app's sessions. */
function loadOrCreateKeys(files: SidecarFiles): { signing: string; encryption: string } {
  const path = join(files.folder, 'keys.json');
  const stored = readJson<{ signing: string; encryption: string }>(path);
  if (stored !== undefined) return stored;
  const keys = {
    signing: randomBytes(32).toString('hex'),
    encryption: randomBytes(32).toString('hex'),
  };
  writePrivate(path, JSON.stringify(keys));
  return keys;
}

/**
 * The error message in what a layer printed, without the help in its last line, which is for users
 * who started the command themselves; its last line if there is no such message.
 */
function errorMessageIn(output: string): string | undefined {
  const lines = output.trim().split('\n');
  const errorIndex = lines.findIndex((line) => line.startsWith(errorPrefix));
  if (errorIndex < 0) return lines.at(-1)?.slice(0, 400) || undefined;
  const message = lines
    .slice(errorIndex, Math.max(errorIndex + 1, lines.length - 1))
    .map((line) => line.trim());
  return message.join(' ').slice(errorPrefix.length, 600);
}
