import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import type { FileAccess, PathKind } from './file-access.js';

/** Runs git and gives what it prints. */
function git(cwd: string, ...args: readonly string[]): Buffer {
  return execFileSync('git', [...args], { cwd, maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] });
}

/**
 * The files of a git commit, by the same paths as those of the disk.
 *
 * @param ref a commit, a branch or a tag, such as `origin/main`.
 * @throws what git says when there is no such commit, or no repository.
 */
export function gitFiles(cwd: string, ref: string): FileAccess {
  const root = git(cwd, 'rev-parse', '--show-toplevel').toString().trim();
  const commit = git(cwd, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`).toString().trim();
  const inTree = (path: string): string => relative(root, resolve(cwd, path)).replaceAll('\\', '/');
  const kinds: Readonly<Record<string, PathKind>> = { blob: 'file', tree: 'folder', commit: 'other' };
  return {
    look(path) {
      const place = inTree(path);
      if (place === '') return { kind: 'folder', size: 0 };
      const [, type, , size] = git(root, 'ls-tree', '--long', commit, '--', place).toString().split(/\s+/);
      return { kind: type === undefined ? 'missing' : (kinds[type] ?? 'other'), size: Number(size) || 0 };
    },
    read: (path) => git(root, 'cat-file', 'blob', `${commit}:${inTree(path)}`),
    list: (path) =>
      git(root, 'ls-tree', `${commit}:${inTree(path)}`)
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${line.slice(line.indexOf('\t') + 1)}${line.split(' ')[1] === 'tree' ? '/' : ''}`),
  };
}
