import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { listFolder } from '../core/source/list-folder.js';
import { isAlive } from '../core/process/is-alive.js';
import { requestSandbox } from './admin-client.js';
import { startBackground, stopBackground } from './background/process.js';
import { type SandboxPaths, sandboxName, sandboxPaths } from './paths.js';
import { readRunningState } from './state.js';

/** A snapshot of a sandbox. */
export interface SandboxSnapshot {
  /** The name that it was saved under. */
  readonly name: string;
  /** When it was saved, in ISO 8601. */
  readonly savedAt: string;
}

/**
 * Saves all that a sandbox keeps under a name: objects of the services, sessions and seeds, how
 * apps run, its clock, and Terraform's states beside it. A running sandbox goes on meanwhile. An
 * earlier snapshot of the same name is replaced.
 *
 * @throws CAS4021 for a name that is not valid, where there is nothing to save, and for a sandbox on
 *   PostgreSQL.
 */
export async function saveSandbox(
  projectDir: string,
  name: string,
  environment?: string,
): Promise<SandboxSnapshot> {
  const paths = sandboxPaths(projectDir, environment);
  requireSnapshotName(name);
  const isRunning = readRunningState(paths) !== undefined; // a running one may be on PostgreSQL
  if (!isRunning && !existsSync(paths.database))
    throw new CastellanError('CAS4021', `${sandboxName(paths)} has no sandbox to save`);
  const folder = snapshotFolder(paths, name);
  await withDraftFolder(paths, async (draft) => {
    if (!isRunning) copyDatabase(paths.root, draft);
    else await requestSandbox(paths, 'POST', '/database-copy', { folder: draft });
    copyKeptFiles(paths.root, draft);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  });
  return { name, savedAt: statSync(folder).mtime.toISOString() };
}

/**
 * Returns a sandbox to a snapshot, with Terraform's states. A running sandbox is restarted; its
 * port, ids and authority stay.
 *
 * @throws CAS4021 for a name under which nothing was saved.
 */
export async function restoreSandbox(
  projectDir: string,
  name: string,
  environment?: string,
): Promise<SandboxSnapshot> {
  const paths = sandboxPaths(projectDir, environment);
  const snapshot = savedSnapshots(projectDir, environment).find((each) => each.name === name);
  if (snapshot === undefined) throw missingSnapshotError(paths, name);
  await withDraftFolder(paths, async (draft) => {
    // copied first: a full disk then changes nothing
    copyDatabase(snapshotFolder(paths, name), draft);
    copyKeptFiles(snapshotFolder(paths, name), draft);
    const isRunning = await stopBackground(paths);
    removeKeptFiles(paths.root);
    for (const part of readdirSync(draft)) renameSync(join(draft, part), join(paths.root, part));
    if (isRunning) await startBackground(paths);
  });
  return snapshot;
}

/**
 * Returns a running sandbox to a snapshot without a restart: its process goes on with the saved
 * rows. For snapshots that were saved while no app and no operation ran, such as at the start of a
 * test.
 *
 * @throws CAS4021 for a name under which nothing was saved, CAS4012 when none is running.
 */
export async function rewindSandbox(projectDir: string, name: string): Promise<void> {
  const paths = sandboxPaths(projectDir);
  const folder = snapshotFolder(paths, name);
  if (!existsSync(folder)) throw missingSnapshotError(paths, name);
  if (readRunningState(paths) === undefined)
    throw new CastellanError('CAS4012', `no sandbox is running for ${sandboxName(paths)}`);
  for (const part of [...keptPartsIn(paths.root), 'faults.json'])
    rmSync(join(paths.root, part), { recursive: true, force: true });
  copyKeptFiles(folder, paths.root);
  await requestSandbox(paths, 'POST', '/rewind', { folder });
}

/** The snapshots of a sandbox, the newest first. */
export function savedSnapshots(
  projectDir: string,
  environment?: string,
): readonly SandboxSnapshot[] {
  const { snapshots } = sandboxPaths(projectDir, environment);
  return listFolder(snapshots)
    .filter((name) => isSnapshotName(name))
    .map((name) => ({ name, savedAt: statSync(join(snapshots, name)).mtime.toISOString() }))
    .sort((a, b) => b.savedAt.localeCompare(a.savedAt));
}

/**
 * Prepares a change in a folder of its own, which is deleted at the end; those of processes that
 * were killed are deleted first.
 */
export async function withDraftFolder(
  { snapshots }: SandboxPaths,
  work: (draft: string) => Promise<void>,
): Promise<void> {
  mkdirSync(snapshots, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(snapshots)) {
    const [, pid] = /^\.draft-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(snapshots, name), { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(snapshots, `.draft-${String(process.pid)}-`));
  try {
    await work(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const databaseFiles = ['sandbox.db', 'sandbox.db-wal', 'sandbox.db-shm'] as const;

/** Copies the database of a sandbox that does not run. */
export function copyDatabase(from: string, to: string): void {
  for (const file of databaseFiles)
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
}

/** Removes the database of a sandbox that does not run, and all that it keeps besides. */
export function removeKeptFiles(folder: string): void {
  for (const part of [...keptPartsIn(folder), ...databaseFiles])
    rmSync(join(folder, part), { recursive: true, force: true });
}

/** What a sandbox keeps besides its database; ports, ids, keys and logs are not part of it. */
const keptParts = [
  'seed.yaml',
  'added-seed.json',
  'apps.json',
  'clock.json',
  'stand-in-secrets.json',
  'apps',
  'creations',
];

function keptPartsIn(folder: string): readonly string[] {
  return readdirSync(folder).filter(
    (name) => keptParts.includes(name) || /^terraform\..+\.tfstate$/.test(name),
  );
}

/**
 * Copies all that a sandbox keeps besides its database.
 *
 * @param rename the name of a file or folder in the target. @default the same name
 */
export function copyKeptFiles(
  from: string,
  to: string,
  rename = (name: string): string => name,
): void {
  for (const part of keptPartsIn(from))
    cpSync(join(from, part), join(to, rename(part)), { recursive: true });
}

function snapshotFolder({ snapshots }: SandboxPaths, name: string): string {
  return join(snapshots, name);
}

function isSnapshotName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(name);
}

/** @throws CAS4021 for a name that is not valid */
export function requireSnapshotName(name: string): void {
  if (!isSnapshotName(name))
    throw new CastellanError(
      'CAS4021',
      `"${name}" must have only letters, digits, hyphens and underscores, a letter or digit at its beginning, and at most 63 characters`,
    );
}

function missingSnapshotError(paths: SandboxPaths, name: string): CastellanError {
  const names = savedSnapshots(paths.projectDir, paths.environment).map((each) => each.name);
  const saved = names.length === 0 ? 'nothing is saved' : `saved are ${names.join(', ')}`;
  return new CastellanError('CAS4021', `nothing is saved under "${name}": ${saved}`);
}
