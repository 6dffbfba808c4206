import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { CastellanError } from '../errors/castellan-error.js';
import type { FileAccess, PathKind } from './file-access.js';

/** Runs git and returns its output. Throws its failure. */
export function git(cwd: string, ...args: readonly string[]): Buffer {
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
  /** The commit of a submodule. */
  readonly submodule?: string;
}

/** The files of a git commit, and which one it is. */
export interface CommitFiles extends FileAccess {
  readonly commit: string;
  /** The folder of the whole repository. */
  readonly root: string;
  /** Writes files of the commit to a folder, those whose path fits. */
  extract(folder: string, fits: (path: string) => boolean): void;
}

/** The files where a branch left another, and those that the other has now. */
export interface GitFiles extends CommitFiles {
  readonly tip: CommitFiles;
}

/**
 * The files of the commit at which a branch left `ref` (the base of a pull request), by the same
 * paths as on disk. Files of submodules are those of the commit that the base names.
 *
 * @param ref a commit, a branch or a tag, such as `origin/main`; a branch, if a tag has its name.
 * @throws CAS7004 when there is no such commit, or no repository.
 * @throws CAS7006 when the history of this clone has no common commit with `ref`, or a submodule is
 *   not there.
 */
export function gitFiles(cwd: string, ref: string): GitFiles {
  const [root, revision] = resolveRevision(cwd, ref);
  const commit = mergeBase(root, revision, ref);
  const files = commitFiles(root, commit, cwd);
  return { ...files, tip: commit === revision ? files : commitFiles(root, revision, cwd) };
}

function commitFiles(root: string, commit: string, cwd: string): CommitFiles {
  return {
    commit,
    root,
    ...filesOfCommit(root, commit, cwd),
    extract: (folder, fits) => {
      extract(root, commit, folder, fits);
    },
  };
}

/**
 * Checks files out to a work tree and an index of their own, so that .gitattributes of the change
 * have no effect on them.
 */
function extract(
  root: string,
  commit: string,
  folder: string,
  fits: (path: string) => boolean,
): void {
  const options = {
    cwd: folder,
    env: {
      ...process.env,
      GIT_DIR: git(root, 'rev-parse', '--absolute-git-dir').toString().replace(/\n$/, ''),
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: join(folder, '.git-index'),
    },
  };
  execFileSync('git', ['read-tree', commit], options);
  const paths = git(root, 'ls-tree', '-r', '-z', '--name-only', '--full-tree', commit)
    .toString()
    .split('\0')
    .filter((path) => path !== '' && fits(path));
  execFileSync('git', ['checkout-index', '--stdin', '-z'], { ...options, input: paths.join('\0') });
}

/**
 * The root of the repository, and the commit of `ref`.
 *
 * @throws CAS7004 when there is no such commit, or no repository.
 */
export function resolveRevision(
  cwd: string,
  ref: string,
): readonly [root: string, revision: string] {
  try {
    // git names the repository without symbolic links, and the folder may be reached through some
    const up = git(cwd, 'rev-parse', '--show-cdup').toString().replace(/\n$/, '');
    const commit = git(
      cwd,
      'rev-parse',
      '--verify',
      '--end-of-options',
      `${branchNamed(cwd, ref)}^{commit}`,
    );
    return [resolve(cwd, up), commit.toString().trim()];
  } catch (cause) {
    const message = `there is nothing to compare with at ${ref}: ${reasonOf(cause, cwd, ref)}`;
    throw new CastellanError('CAS7004', message, { details: { ref }, cause });
  }
}

/**
 * The full name of a branch; otherwise the name as it was given. Git takes a tag of the same name
 * first, and whoever may push a tag would choose the base.
 */
function branchNamed(cwd: string, ref: string): string {
  const names = [`refs/remotes/${ref}`, `refs/heads/${ref}`];
  const found = git(cwd, 'for-each-ref', '--format=%(refname)', ...names)
    .toString()
    .split('\n');
  return names.find((name) => found.includes(name)) ?? ref;
}

function reasonOf(cause: unknown, cwd: string, ref: string): string {
  const { code, stderr } = cause as { readonly code?: unknown; readonly stderr?: unknown };
  if (code === 'ENOENT') return 'git is not installed';
  const message = String(stderr ?? (cause as Error).message).trim();
  if (!/single revision|unknown revision|bad revision/.test(message))
    return message.split('\n')[0] ?? '';
  const depth = isShallow(cwd) ? '--unshallow' : '';
  return `git does not know it here. A shallow clone has only its last commit: run ${fetchCommand(ref, depth)}, or check out with the whole history (fetch-depth: 0)`;
}

function isShallow(cwd: string): boolean {
  return git(cwd, 'rev-parse', '--is-shallow-repository').toString().trim() === 'true';
}

/** The command that fetches a branch, and optionally all of the history. */
function fetchCommand(ref: string, depth = ''): string {
  const [, remote = 'origin', branch = ref] = /^(?:refs\/remotes\/)?([^/]+)\/(.+)$/.exec(ref) ?? [];
  const isBranch = ref.includes('/');
  const what = isBranch ? `${branch}:refs/remotes/${remote}/${branch}` : '';
  return ['git fetch', depth, remote, what].filter((part) => part !== '').join(' ');
}

/**
 * The commit at which the branch left another. Without one, a comparison would take everything that
 * the other branch has for deleted.
 */
function mergeBase(root: string, revision: string, ref: string): string {
  try {
    return git(root, 'merge-base', revision, 'HEAD').toString().trim();
  } catch (cause) {
    const reason = isShallow(root)
      ? `this clone is shallow; run ${fetchCommand(ref, '--unshallow')}`
      : `their histories are unrelated; name a branch of this history, or fetch it: ${fetchCommand(ref)}`;
    const message = `HEAD and ${ref} have no common commit here: ${reason}`;
    throw new CastellanError('CAS7006', message, { details: { ref }, cause });
  }
}

/** The files of a commit; relative paths start at `cwd`. */
function filesOfCommit(root: string, commit: string, cwd: string): FileAccess {
  let known: Tree | undefined;
  const tree = (): Tree => (known ??= treeOf(root, commit));
  const submodules = new Map<string, FileAccess>();
  const inTree = (path: string): string => relative(root, resolve(cwd, path)).replaceAll('\\', '/');
  /** The submodule that a path is below of. */
  const submoduleOf = (place: string): FileAccess | undefined => {
    const steps = place.split('/');
    for (let depth = 1; depth <= steps.length; depth++) {
      const folder = steps.slice(0, depth).join('/');
      const pinned = tree().entries.get(folder)?.submodule;
      if (pinned === undefined) continue;
      const files = submodules.get(folder) ?? submoduleFiles(join(root, folder), folder, pinned);
      submodules.set(folder, files);
      return files;
    }
    return undefined;
  };
  /** The symbolic link to a folder by which a path goes. */
  const linkAbove = (place: string): string | undefined => {
    const steps = place.split('/');
    const folders = steps.map((_, depth) => steps.slice(0, depth).join('/'));
    return folders.find((folder) => tree().entries.get(folder)?.link !== undefined);
  };
  const entryOf = (place: string, hops = 0): Place => {
    const entry = tree().entries.get(place);
    const link =
      entry === undefined ? linkAbove(place) : entry.link === undefined ? undefined : place;
    if (link === undefined || hops > 10)
      return { place, entry, submodule: entry === undefined ? submoduleOf(place) : undefined };
    const target = git(root, 'cat-file', 'blob', tree().entries.get(link)?.link ?? '').toString();
    const there = posix.join(posix.dirname(link), target, place.slice(link.length));
    return entryOf(there, hops + 1);
  };
  return {
    stat(path) {
      const { place, entry, submodule } = entryOf(inTree(path));
      return submodule?.stat(join(root, place)) ?? entry ?? { kind: 'missing', size: 0 };
    },
    read(path) {
      const { place, submodule } = entryOf(inTree(path));
      return (
        submodule?.read(join(root, place)) ?? git(root, 'cat-file', 'blob', `${commit}:${place}`)
      );
    },
    list(path) {
      const { place, entry, submodule } = entryOf(inTree(path));
      if (entry?.submodule !== undefined && !isCheckedOut(join(root, place), entry.submodule))
        return [];
      const below = submodule ?? (entry?.submodule === undefined ? undefined : submoduleOf(place));
      return below?.list(join(root, place)) ?? tree().names.get(place) ?? [];
    },
    tracked: () => [...tree().entries.keys()].map((place) => join(root, place)),
  };
}

interface Place {
  readonly place: string;
  readonly entry: Entry | undefined;
  readonly submodule: FileAccess | undefined;
}

function isCheckedOut(folder: string, commit: string): boolean {
  if (!existsSync(join(folder, '.git'))) return false;
  try {
    git(folder, 'cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** The files of a submodule at the commit that its parent names. */
function submoduleFiles(folder: string, name: string, commit: string): FileAccess {
  if (!isCheckedOut(folder, commit))
    throw new CastellanError(
      'CAS7006',
      `the submodule ${name} is not here at the commit of the base, ${commit.slice(0, 12)}: run git submodule update --init ${name} and git -C ${name} fetch origin ${commit}`,
      { details: { submodule: name } },
    );
  return filesOfCommit(folder, commit, folder);
}

interface Tree {
  readonly entries: ReadonlyMap<string, Entry>;
  /** The content of each folder; folders end with `/`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

const kinds: Readonly<Record<string, PathKind>> = {
  blob: 'file',
  tree: 'folder',
  commit: 'folder',
};

/** Lists everything in a commit with one call. */
function treeOf(root: string, commit: string): Tree {
  const entries = new Map<string, Entry>([['', { kind: 'folder', size: 0 }]]);
  const names = new Map<string, string[]>();
  for (const line of git(root, 'ls-tree', '-r', '-t', '-z', '--long', '--full-tree', commit)
    .toString()
    .split('\0')) {
    const [mode, type = '', id, size] = line.split(/\s+/, 4);
    if (id === undefined) continue;
    const path = line.slice(line.indexOf('\t') + 1);
    const kind = kinds[type] ?? 'other';
    entries.set(path, {
      kind,
      size: Number(size) || 0,
      ...(mode === '120000' && { link: id }),
      ...(type === 'commit' && { submodule: id }),
    });
    const at = path.lastIndexOf('/');
    const folder = at === -1 ? '' : path.slice(0, at);
    const siblings = names.get(folder) ?? [];
    siblings.push(`${path.slice(at + 1)}${kind === 'folder' ? '/' : ''}`);
    names.set(folder, siblings);
  }
  return { entries, names };
}
