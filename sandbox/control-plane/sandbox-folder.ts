import { chmodSync, existsSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import packageJson from '../../package.json';
import { type Database, openDatabase } from '../../services/common/database.js';
import {
  candidatePorts,
  createSettings,
  readSettings,
  type SandboxSettings,
  writeSettings,
} from '../settings.js';
import { type Lock, takeLock } from '../background/lock.js';
import { type SandboxClock } from '../clock.js';
import { loadOrCreateSigningKey } from '../identity-provider/signing-key.js';
import { sandboxName, type SandboxPaths } from '../paths.js';
import { readJson, writePrivate } from '../private-file.js';
import type { SandboxState } from '../state.js';
import { isPortFree } from './listeners.js';

/** Clean-up functions, run in reverse order when the sandbox stops. */
export type Closers = (() => Promise<unknown> | void)[];

/**
 * Opens the database of `DATABASE_URL`, or the sandbox's own file, which only its owner may read.
 */
export async function openOwnDatabase(
  paths: SandboxPaths,
  env: Readonly<Record<string, string | undefined>>,
  closers: Closers,
): Promise<Database> {
  const database = await openDatabase(env['DATABASE_URL'] || `sqlite:${paths.database}`);
  closers.push(() => database.close());
  for (const file of [paths.database, `${paths.database}-wal`, `${paths.database}-shm`])
    if (existsSync(file)) chmodSync(file, 0o600);
  return database;
}

/** Writes the state file, by which commands find the running sandbox. */
export function writeState(
  paths: SandboxPaths,
  connection: Pick<SandboxState, 'origin' | 'reattach'>,
): void {
  const state: SandboxState = {
    pid: process.pid,
    version: packageJson.version,
    startedAt: new Date().toISOString(),
    ...connection,
  };
  writePrivate(paths.state, `${JSON.stringify(state, undefined, 2)}\n`);
}

/**
 * Takes the lock of the sandbox's folder.
 *
 * @throws CAS4010 when another process has it.
 */
export async function lockFolder(paths: SandboxPaths): Promise<Lock> {
  // Tries for a second, since a command that checks the lock takes it for an instant.
  for (let attempt = 0; attempt < 20; attempt++) {
    const lock = takeLock(paths.lock);
    if (lock !== undefined) return lock;
    await new Promise((done) => setTimeout(done, 50));
  }
  const state = readJson<SandboxState>(paths.state);
  throw new CastellanError(
    'CAS4010',
    `process ${state?.pid ?? '?'} runs the sandbox of ${sandboxName(paths)}${state === undefined ? '' : ` at ${state.origin}`}`,
  );
}

/**
 * The settings and signing key of the sandbox; created on its first start.
 *
 * @throws CAS4014 when no port is free.
 */
export async function openSettings(
  paths: SandboxPaths,
  clock: SandboxClock,
): Promise<{ settings: SandboxSettings; key: Awaited<ReturnType<typeof loadOrCreateSigningKey>> }> {
  const previous = readSettings(paths);
  const settings =
    previous ??
    createSettings(
      await firstFreePort(
        candidatePorts(paths.environment === undefined ? paths.projectDir : paths.root),
      ),
    );
  const key = await loadOrCreateSigningKey(settings.signingKey, clock);
  if (settings.signingKey === undefined)
    writeSettings(paths, {
      ...settings,
      signingKey: key.privateJwk as Readonly<Record<string, unknown>>,
    });
  return { settings, key };
}

async function firstFreePort(candidates: readonly number[]): Promise<number> {
  for (const port of candidates) if (await isPortFree(port)) return port;
  throw new CastellanError(
    'CAS4014',
    `none of the ports ${candidates.slice(0, 5).join(', ')}, … is free`,
  );
}
