import { resolve } from 'node:path';
import { diskFiles, type FileAccess } from './file-access.js';
import { git, mergeBaseFiles, type MergeBaseFiles, resolveRevision } from './git-files.js';

/** The files of a work tree, and those of the commit at which its branch began. */
export interface WorkTreeFiles extends FileAccess {
  /**
   * The files with which those of the work tree are compared, read once.
   *
   * @throws CAS7006 as {@link mergeBaseFiles} does.
   */
  readonly baseFiles: () => MergeBaseFiles;
}

/**
 * The files of the disk, of which git says what belongs to the repository: what is tracked, also in
 * submodules, and what is new and not ignored.
 *
 * @param ref the git revision with which they are compared.
 * @throws CAS7004 when there is no such commit, or no repository.
 */
export function workTreeFiles(cwd: string, ref: string): WorkTreeFiles {
  const revision = resolveRevision(cwd, ref);
  const tracked = listWorkTree(revision.root).map((path) => resolve(revision.root, path));
  let base: MergeBaseFiles | undefined;
  return {
    ...diskFiles,
    tracked: () => tracked,
    baseFiles: () => (base ??= mergeBaseFiles(cwd, ref, revision)),
  };
}

/** The start of a line for an untracked file, and for a submodule in the index. */
const [untracked, submodule] = ['? ', 'H 160000 '];

function listWorkTree(root: string): readonly string[] {
  const list = (...args: readonly string[]): readonly string[] =>
    git(root, 'ls-files', '-z', ...args)
      .toString()
      .split('\0')
      .filter((path) => path !== '');
  const lines = list('-t', '--stage', '--cached', '--others', '--exclude-standard');
  const untrackedPaths = lines
    .filter((line) => line.startsWith(untracked))
    .map((line) => line.slice(untracked.length));
  const trackedPaths = lines.some((line) => line.startsWith(submodule))
    ? list('--cached', '--recurse-submodules')
    : lines
        .filter((line) => !line.startsWith(untracked))
        .map((line) => line.slice(line.indexOf('\t') + 1));
  return [...trackedPaths, ...untrackedPaths];
}
