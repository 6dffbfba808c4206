import { execFileSync } from 'node:child_process';
import { posix, relative, resolve } from 'node:path';
import type { FileAccess, PathKind } from './file-access.js';

/** Runs git and returns its output. */
function git(cwd: string, ...args: readonly string[]): Buffer {
  return execFileSync('git', [...args], {
    cwd,
    maxBuffer: 1 << 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

interface Entry {
  readonly kind: PathKind;
  readonly size: number;
  /** The target of a symbolic link. */
  readonly link?: string;
}

/** The files of a git commit, and which one it is. */
export interface GitFiles extends FileAccess {
  readonly commit: string;
  /** The folder of the whole repository. */
  readonly root: string;
}

/**
 * The files of the commit at which a branch left `ref` (the base of a pull request), by the same
 * paths as on disk; those of `ref` itself if the two have no common commit.
 *
 * @param ref a commit, a branch or a tag, such as `origin/main`.
 * @throws what git says when there is no such commit, or no repository.
 */
export function gitFiles(cwd: string, ref: string): GitFiles {
  // git names the repository without symbolic links, and the folder may be reached through some
  const prefix = git(cwd, 'rev-parse', '--show-cdup').toString().replace(/\n$/, '');
  const root = resolve(cwd, prefix);
  const revision = git(cwd, 'rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`)
    .toString()
    .trim();
  const commit = forkPoint(root, revision) ?? revision;
  const inTree = (path: string): string => relative(root, resolve(cwd, path)).replaceAll('\\', '/');
  let known: Tree | undefined;
  const entryOf = (
    place: string,
    hops = 0,
  ): { readonly place: string; readonly entry: Entry | undefined } => {
    const entry = (known ??= treeOf(root, commit)).entries.get(place);
    if (entry?.link === undefined || hops > 10) return { place, entry };
    const target = git(root, 'cat-file', 'blob', entry.link).toString();
    return entryOf(posix.join(posix.dirname(place), target), hops + 1);
  };
  return {
    commit,
    root,
    look: (path) => entryOf(inTree(path)).entry ?? { kind: 'missing', size: 0 },
    read: (path) => git(root, 'cat-file', 'blob', `${commit}:${entryOf(inTree(path)).place}`),
    list: (path) => {
      const { place } = entryOf(inTree(path));
      return known?.names.get(place) ?? [];
    },
  };
}

function forkPoint(root: string, commit: string): string | undefined {
  try {
    return git(root, 'merge-base', commit, 'HEAD').toString().trim();
  } catch {
    return undefined; // no common commit, or a shallow clone without it: compares with the given ref
  }
}

interface Tree {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The content of each folder; folders end with `/`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** Lists everything in a commit with one call. */
function treeOf(root: string, commit: string): Tree {
  const entries = new Map<string, Entry>([['', { kind: 'folder', size: 0 }]]);
  const names = new Map<string, string[]>();
  for (const line of git(root, 'ls-tree', '-r', '-t', '-z', '--long', '--full-tree', commit)
    .toString()
    .split('\0')) {
    const [mode, type, id, size] = line.split(/\s+/, 4);
    if (id === undefined) continue;
    const path = line.slice(line.indexOf('\t') + 1);
    const kind = type === 'blob' ? 'file' : type === 'tree' ? 'folder' : 'other';
    entries.set(path, {
      kind,
      size: Number(size) || 0,
      ...(mode === '120000' ? { link: id } : {}),
    });
    const at = path.lastIndexOf('/');
    const folder = at === -1 ? '' : path.slice(0, at);
    const siblings = names.get(folder) ?? [];
    siblings.push(`${path.slice(at + 1)}${kind === 'folder' ? '/' : ''}`);
    names.set(folder, siblings);
  }
  return { entries, names };
}
