import { resolve } from 'node:path';
import { diskFiles, type FileAccess } from './file-access.js';
import { git, resolveRevision } from './git-files.js';

/**
 * The files of the disk, of which git says what belongs to the repository: what is tracked, also in
 * submodules, and what is new and not ignored.
 *
 * @param ref the git revision with which they are compared.
 * @throws CAS7004 when there is no such commit, or no repository.
 */
export function workTreeFiles(cwd: string, ref: string): FileAccess {
  const [root] = resolveRevision(cwd, ref);
  const list = (...args: readonly string[]): readonly string[] =>
    git(root, 'ls-files', '-z', ...args)
      .toString()
      .split('\0')
      .filter((path) => path !== '');
  const tracked = [
    ...list('--cached', '--recurse-submodules'),
    ...list('--others', '--exclude-standard'),
  ].map((path) => resolve(root, path));
  return { ...diskFiles, tracked: () => tracked };
}
