import { resolve } from 'node:path';
import { CastellanError } from '../errors/castellan-error.js';
import { type CommitFiles, git, gitFailureReason, mergeBaseFiles } from './git-files.js';

/** The files that differ from a commit in the work tree, committed or not. */
export interface ChangedFiles {
  /** The branch or commit, as it was given or found. */
  readonly ref: string;
  /** Absolute paths; those of deleted and of new files, too. */
  readonly paths: ReadonlySet<string>;
}

/**
 * The files that changed since a branch left `ref`, without those that git ignores.
 *
 * @param ref a commit, a branch or a tag.
 * @default the main branch of the repository
 * @throws CAS7004 when there is no such commit, or no repository.
 * @throws CAS7006 when the history of this clone has no common commit with `ref`.
 */
export function changedFiles(cwd: string, ref = mainBranch(cwd)): ChangedFiles {
  return { ref, paths: pathsChangedSince(mergeBaseFiles(cwd, ref)) };
}

/**
 * The absolute paths of files that differ from a commit in the work tree, without those that git
 * ignores.
 */
export function pathsChangedSince({ commit, root }: CommitFiles): ReadonlySet<string> {
  const list = (...args: readonly string[]): readonly string[] =>
    git(root, ...args)
      .toString()
      .split('\0')
      .filter((path) => path !== '');
  const paths = [
    // both names of a renamed file
    ...list('diff', '--name-only', '--no-renames', '-z', commit),
    ...list('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return new Set(paths.map((path) => resolve(root, path)));
}

/**
 * The branch that the remote has as its main one, or a branch of a usual name.
 *
 * @throws CAS7004 when there is none, or no repository.
 */
function mainBranch(cwd: string): string {
  const candidates = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
  const branch = candidates.find((name) => isCommit(cwd, name));
  if (branch !== undefined) return branch;
  const message = `there is no branch ${candidates.join(', ')} here: name what to compare with by --base`;
  throw new CastellanError('CAS7004', message);
}

function isCommit(cwd: string, name: string): boolean {
  try {
    git(cwd, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`);
    return true;
  } catch (cause) {
    // 1 is git's answer that there is none; it has others for a folder without repository
    if ((cause as { readonly status?: unknown }).status === 1) return false;
    const message = `there is nothing to compare with: ${gitFailureReason(cause, cwd, name)}`;
    throw new CastellanError('CAS7004', message, { cause });
  }
}
