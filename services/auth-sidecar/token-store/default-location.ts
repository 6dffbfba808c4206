import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { makeFolder } from '../../../core/source/make-folder.js';

/** The default location of a sidecar's entries. */
export interface DefaultLocation {
  /** Path of the SQLite file. */
  readonly path: string;
  /** Why it is not in the working directory, if so. */
  readonly fallbackReason?: string;
}

/** The candidates for the default location; tests replace them. */
export interface CandidateFolders {
  readonly workingDirectory: string;
  readonly temporaryDirectory: string;
}

/**
 * The SQLite file of a configuration: `.castellan/auth-sidecar/` of the working directory, or if
 * that cannot be written, of the temporary directory (`TMPDIR`). The name is derived from the
 * configuration's path, so that a restart finds its ended sessions, the sidecars of one
 * configuration on one machine share it, and those of two never do.
 *
 * @throws CAS6005 when neither can be written
 */
export function defaultLocation(
  config: string | undefined,
  { workingDirectory, temporaryDirectory }: CandidateFolders = {
    workingDirectory: process.cwd(),
    temporaryDirectory: tmpdir(),
  },
): DefaultLocation {
  const name = `${createHash('sha256')
    .update(config === undefined ? 'the environment' : realPath(config))
    .digest('hex')
    .slice(0, 16)}.db`;
  const preferredFolder = join(workingDirectory, '.castellan');
  const preferredProblem = prepareFolder(preferredFolder);
  if (preferredProblem === undefined) return { path: join(preferredFolder, 'auth-sidecar', name) };
  const fallbackFolder = join(temporaryDirectory, `castellan-${userInfo().uid}`);
  const fallbackProblem = prepareFolder(fallbackFolder) ?? ownerProblem(fallbackFolder);
  if (fallbackProblem === undefined)
    return {
      path: join(fallbackFolder, 'auth-sidecar', name),
      fallbackReason: `${preferredFolder}: ${preferredProblem}`,
    };
  throw new CastellanError(
    'CAS6005',
    `there is no place for the default token store (${preferredFolder}: ${preferredProblem}; ${fallbackFolder}: ${fallbackProblem}); ` +
      'give --token-store sqlite:PATH, redis://…, postgres://… or memory:, or a TMPDIR that can be written',
  );
}

function realPath(config: string): string {
  return existsSync(config) ? realpathSync(config) : resolve(config);
}

/** Prepares a folder for the store. @returns why it cannot be used */
function prepareFolder(folder: string): string | undefined {
  try {
    const created = makeFolder(folder, 0o700);
    if (created !== undefined) writeFileSync(join(folder, '.gitignore'), '*\n');
    const inner = join(folder, 'auth-sidecar');
    makeFolder(inner, 0o700);
    accessSync(inner, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  }
}

/**
 * In a directory that everyone can write to, another user may have created a folder or a link
 * first.
 */
function ownerProblem(folder: string): string | undefined {
  const stats = lstatSync(folder);
  return stats.isDirectory() && stats.uid === userInfo().uid
    ? undefined
    : 'belongs to another user';
}
