import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import { cliPath } from '../background/process.js';
import { readJson, writePrivate } from '../private-file.js';
import { endProcess, type Processes } from './processes.js';
import type { Workload } from './workload.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** The files and addresses for an app's sign-in layer. */
export interface SidecarFiles {
  readonly folder: string;
  readonly config: string;
  readonly secrets: string;
  readonly endpoints: string;
  readonly tokenStore: string;
}

/** The shared context of all apps' sign-in layers. */
export interface SidecarContext {
  readonly processes: Processes;
  /** The folder with a folder for each app. */
  readonly hosting: string;
  /** The certificate of the local authority, which signs the identity provider's. */
  readonly ca: string;
  /** The file of the sandbox's clock, which sessions follow. */
  readonly clock: string;
  /** The sandbox's identity provider, which replaces the directory's. */
  readonly issuer: string;
  /** The folder with the layers' pages. @default the usual pages */
  readonly pages?: string;
  /** Variables with which a layer sends its spans to the sandbox. */
  readonly spanVariables?: Readonly<Record<string, string>>;
}

const keyNames = {
  signing: 'castellan-sandbox-signing-key',
  encryption: 'castellan-sandbox-encryption-key',
};

/** The files of an app's sign-in layer. */
export function sidecarFiles(hosting: string, app: string): SidecarFiles {
  const folder = join(hosting, app);
  const inside = (name: string): string => join(folder, name);
  return {
    folder,
    config: inside('auth.json'),
    secrets: inside('secrets'),
    endpoints: inside('endpoints.json'),
    tokenStore: inside('tokens.db'),
  };
}

/**
 * Writes an app's sign-in settings and secrets to the files of its sidecars; running ones notice
 * it.
 */
export function writeSidecarFiles(context: SidecarContext, app: DeclaredApp): SidecarFiles {
  const files = sidecarFiles(context.hosting, app.name);
  mkdirSync(files.secrets, { recursive: true, mode: 0o700 });
  const values = new Map(
    app.secrets.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])),
  );
  const auth = app.auth ?? {};
  const keys = (auth['encryptionSettings'] ?? {}) as Record<string, string | undefined>;
  // The sandbox's own keys keep sessions valid across replicas and restarts, if the app provides
  // none.
  const existingKeys = ownKeys(files);
  const signing = keys['containerAppAuthSigningSecretName'] ?? keyNames.signing;
  const encryption = keys['containerAppAuthEncryptionSecretName'] ?? keyNames.encryption;
  values.set(keyNames.signing, existingKeys.signing);
  values.set(keyNames.encryption, existingKeys.encryption);
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
 * Starts a sign-in layer for a workload; when this resolves it is ready, or `failure` has the
 * reason.
 */
export async function startSidecar(
  context: SidecarContext,
  files: SidecarFiles,
  {
    app,
    upstream,
    origins,
    dialect,
    output,
  }: {
    readonly app: string;
    readonly upstream: number;
    readonly origins: readonly string[];
    readonly dialect: Dialect;
    /** Gets what the layer logs. */
    readonly output?: (text: string) => void;
  },
): Promise<Pick<Workload, 'port' | 'failure' | 'stop'> & { reload(): void }> {
  const { config, secrets, endpoints, tokenStore } = files;
  const options = {
    config,
    secrets,
    endpoints,
    dialect,
    upstream: `http://127.0.0.1:${upstream}`,
    listen: '127.0.0.1:0',
    'public-origin': origins.join(),
    'trusted-proxies': '127.0.0.1/32',
    'token-store': `sqlite:${tokenStore}`,
    'log-level': 'info',
    clock: context.clock,
    ...omitUndefined({ pages: context.pages }),
  };
  const args = [
    'sidecar',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  ];
  const { PATH, HOME } = process.env;
  const child = context.processes.spawn(process.execPath, [cliPath(), ...args], {
    cwd: files.folder,
    // Without the sandbox's own environment: secrets come from the folder only.
    env: {
      ...context.spanVariables,
      PATH,
      HOME,
      NODE_EXTRA_CA_CERTS: context.ca,
      OTEL_SERVICE_NAME: `${app} sign-in`,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let failure: string | undefined;
  let lastOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-4000);
    output?.(text);
  });
  const exit = new Promise<undefined>((done) => {
    child.once('error', (error) => {
      failure = error.message;
      done(undefined);
    });
    child.once('close', (code, signal) => {
      failure ??= lastWords(lastOutput) ?? `it ended (${signal ?? `exit code ${String(code)}`})`;
      done(undefined);
    });
  });
  const first =
    child.stdout === null
      ? undefined
      : await Promise.race([
          new Promise<string>((done) =>
            createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).once(
              'line',
              done,
            ),
          ),
          exit,
        ]);
  const listening =
    first === undefined ? undefined : (JSON.parse(first) as { listening: string }).listening;
  return {
    port: listening === undefined ? 0 : Number(new URL(listening).port),
    failure: () => failure,
    reload: () => void child.kill('SIGHUP'),
    stop: () => endProcess(child),
  };
}

function ownKeys(files: SidecarFiles): { signing: string; encryption: string } {
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
 * An error message without the advice in its last line, which is for users who started the command
 * themselves.
 */
function lastWords(text: string): string | undefined {
  const lines = text.trim().split('\n');
  const from = lines.findIndex((line) => line.startsWith('castellan: '));
  if (from < 0) return lines.at(-1)?.slice(0, 400) || undefined;
  const message = lines
    .slice(from, Math.max(from + 1, lines.length - 1))
    .map((line) => line.trim());
  return message.join(' ').slice('castellan: '.length, 600);
}
