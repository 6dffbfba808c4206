import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { CastellanError } from '../errors/castellan-error.js';
import type { FileAccess, PathKind } from './file-access.js';

/** A listing of a large repository has many megabytes; Node's default limit is one. */
const maxOutputBytes = 1024 ** 3;

/** Runs git and returns its output. Throws the error of the process when git fails. */
export function git(cwd: string, ...args: readonly string[]): Buffer {
  return execFileSync('git', [...args], {
    cwd,
    maxBuffer: maxOutputBytes,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The most symbolic links that are followed for one path: more form a cycle. */
const maxLinks = 10;

/** A file, folder, link or submodule of a commit. */
interface TreeEntry {
  readonly kind: PathKind;
  /** In bytes; 0 for a folder or a submodule. */
  readonly size: number;
  /** The id of the blob that holds a file. */
  readonly blob?: string;
  /** The id of the blob that holds the target of a symbolic link. */
  readonly linkBlob?: string;
  /** The commit of a submodule. */
  readonly submoduleCommit?: string;
}

/** The files of a git commit, and which one it is. */
export interface CommitFiles extends FileAccess {
  /** The id of the commit. */
  readonly commit: string;
  /** The folder of the whole repository. */
  readonly root: string;
  /** Writes those files of the commit to a folder whose path is included. */
  extract(folder: string, isIncluded: (path: string) => boolean): void;
}

/** The files of the commit at which a branch left another branch. */
export interface MergeBaseFiles extends CommitFiles {
  /** The files that the other branch has now. */
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
export function mergeBaseFiles(
  cwd: string,
  ref: string,
  revision: Revision = resolveRevision(cwd, ref),
): MergeBaseFiles {
  const commit = mergeBase(revision.root, revision.commit, ref);
  const blobs = new Blobs(revision.root);
  const filesOf = (commitId: string): CommitFiles =>
    commitFiles(revision.root, commitId, cwd, blobs);
  const files = filesOf(commit);
  return {
    ...files,
    tip: commit === revision.commit ? files : filesOf(revision.commit),
  };
}

/** The files of a commit; relative paths start at `cwd`. */
function commitFiles(root: string, commit: string, cwd: string, blobs: Blobs): CommitFiles {
  const tree = lazyTree(root, commit);
  return {
    commit,
    root,
    ...commitFileAccess({ root, commit, tree, blobs }, cwd),
    extract: (folder, isIncluded) => {
      const paths = [...tree().entries]
        .filter(([path, { kind }]) => kind !== 'folder' && isIncluded(path))
        .map(([path]) => path);
      checkOut(root, commit, folder, paths);
    },
  };
}

/**
 * Checks files out to a work tree and an index of their own, so that .gitattributes of the change
 * have no effect on them.
 */
function checkOut(root: string, commit: string, folder: string, paths: readonly string[]): void {
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
  execFileSync('git', ['checkout-index', '--stdin', '-z'], { ...options, input: paths.join('\0') });
}

/** A commit, and the repository that has it. */
export interface Revision {
  /** The folder of the whole repository. */
  readonly root: string;
  /** The id of the commit. */
  readonly commit: string;
}

/**
 * The commit of `ref`, in the repository around a folder.
 *
 * @throws CAS7004 when there is no such commit, or no repository.
 */
export function resolveRevision(cwd: string, ref: string): Revision {
  try {
    // git names the repository without symbolic links, and the folder may be reached through some
    const pathToRoot = git(cwd, 'rev-parse', '--show-cdup').toString().replace(/\n$/, '');
    return { root: resolve(cwd, pathToRoot), commit: commitOf(cwd, ref) };
  } catch (cause) {
    const message = `there is nothing to compare with at ${ref}: ${gitFailureReason(cause, cwd, ref)}`;
    throw new CastellanError('CAS7004', message, { details: { ref }, cause });
  }
}

/**
 * The id of the commit of `ref`: that of the branch of this name if there is one. Git takes a tag
 * of the same name first, and whoever may push a tag would choose the base.
 */
function commitOf(cwd: string, ref: string): string {
  const names = [`refs/remotes/${ref}`, `refs/heads/${ref}`];
  const format = '--format=%(objecttype) %(objectname) %(refname)';
  const branches = git(cwd, 'for-each-ref', format, ...names)
    .toString()
    .split('\n')
    .map((line) => line.split(' ', 3));
  const branch = names.flatMap((name) => branches.filter(([, , each]) => each === name))[0];
  const [type, id, name = ref] = branch ?? [];
  if (type === 'commit' && id !== undefined) return id;
  return git(cwd, 'rev-parse', '--verify', '--end-of-options', `${name}^{commit}`)
    .toString()
    .trim();
}

/** Why git failed on a commit or branch, with what to do where that is known. */
export function gitFailureReason(cause: unknown, cwd: string, ref: string): string {
  const { code, stderr } = cause as { readonly code?: unknown; readonly stderr?: unknown };
  if (code === 'ENOENT') return 'git is not installed';
  const message = String(stderr ?? (cause as Error).message).trim();
  if (!/single revision|unknown revision|bad revision/.test(message))
    return message.split('\n')[0] ?? '';
  const option = isShallow(cwd) ? '--unshallow' : '';
  return `git does not know it here. A shallow clone has only its last commit: run ${fetchCommand(cwd, ref, option)}, or check out with the whole history (fetch-depth: 0)`;
}

function isShallow(cwd: string): boolean {
  return git(cwd, 'rev-parse', '--is-shallow-repository').toString().trim() === 'true';
}

/**
 * The command that fetches a branch of a remote, or whatever `origin` has.
 *
 * @param option such as `--unshallow`, for the whole history.
 */
function fetchCommand(cwd: string, ref: string, option = ''): string {
  const [, remote = '', branch = ''] = /^(?:refs\/remotes\/)?([^/]+)\/(.+)$/.exec(ref) ?? [];
  const remotes = ['origin', ...git(cwd, 'remote').toString().split('\n').filter(Boolean)];
  const source = remotes.includes(remote)
    ? `${remote} ${branch}:refs/remotes/${remote}/${branch}`
    : 'origin';
  return ['git fetch', option, source].filter((part) => part !== '').join(' ');
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
      ? `this clone is shallow; run ${fetchCommand(root, ref, '--unshallow')}`
      : `their histories are unrelated; name a branch of this history, or fetch it: ${fetchCommand(root, ref)}`;
    const message = `HEAD and ${ref} have no common commit here: ${reason}`;
    throw new CastellanError('CAS7006', message, { details: { ref }, cause });
  }
}

/** A commit whose files are read. */
interface CommitContents {
  readonly root: string;
  readonly commit: string;
  readonly tree: () => Tree;
  readonly blobs: Blobs;
}

/** Reads a commit like a file system; relative paths start at `cwd`. */
function commitFileAccess({ root, commit, tree, blobs }: CommitContents, cwd: string): FileAccess {
  const submodules = new Map<string, FileAccess>();
  const toTreePath = (path: string): string =>
    relative(root, resolve(cwd, path)).replaceAll('\\', '/');
  /** The files of the submodule that a path names or is within. */
  const submoduleContaining = (treePath: string): FileAccess | undefined => {
    const segments = treePath.split('/');
    for (let depth = 1; depth <= segments.length; depth++) {
      const folder = segments.slice(0, depth).join('/');
      const pinnedCommit = tree().entries.get(folder)?.submoduleCommit;
      if (pinnedCommit === undefined) continue;
      const files =
        submodules.get(folder) ?? submoduleFiles(join(root, folder), folder, pinnedCommit);
      submodules.set(folder, files);
      return files;
    }
    return undefined;
  };
  /** The folder above a path that is a symbolic link. */
  const linkAbove = (treePath: string): string | undefined => {
    const segments = treePath.split('/');
    const folders = segments.map((_, depth) => segments.slice(0, depth).join('/'));
    return folders.find((folder) => tree().entries.get(folder)?.linkBlob !== undefined);
  };
  const resolveLinks = (treePath: string, followedLinks = 0): ResolvedPath => {
    const entry = tree().entries.get(treePath);
    const link =
      entry === undefined
        ? linkAbove(treePath)
        : entry.linkBlob === undefined
          ? undefined
          : treePath;
    if (link === undefined || followedLinks > maxLinks)
      return {
        treePath,
        entry,
        submodule: entry === undefined ? submoduleContaining(treePath) : undefined,
      };
    const target = blobs.read(tree().entries.get(link)?.linkBlob ?? '', tree()).toString();
    const targetPath = posix.join(posix.dirname(link), target, treePath.slice(link.length));
    return resolveLinks(targetPath, followedLinks + 1);
  };
  return {
    stat(path) {
      const { treePath, entry, submodule } = resolveLinks(toTreePath(path));
      return submodule?.stat(join(root, treePath)) ?? entry ?? { kind: 'missing', size: 0 };
    },
    read(path) {
      const { treePath, entry, submodule } = resolveLinks(toTreePath(path));
      if (submodule !== undefined) return submodule.read(join(root, treePath));
      return entry?.blob === undefined
        ? git(root, 'cat-file', 'blob', `${commit}:${treePath}`)
        : blobs.read(entry.blob, tree());
    },
    list(path) {
      const { treePath, entry, submodule } = resolveLinks(toTreePath(path));
      if (
        entry?.submoduleCommit !== undefined &&
        !hasCommit(join(root, treePath), entry.submoduleCommit)
      )
        return [];
      const submoduleHere =
        submodule ??
        (entry?.submoduleCommit === undefined ? undefined : submoduleContaining(treePath));
      return submoduleHere?.list(join(root, treePath)) ?? tree().names.get(treePath) ?? [];
    },
    tracked: () => [...tree().entries.keys()].map((place) => join(root, place)),
  };
}

/** A path after its symbolic links are followed, and what is there. */
interface ResolvedPath {
  /** Relative to the repository's root, with slashes. */
  readonly treePath: string;
  /** Undefined if the commit has nothing there, and within a submodule. */
  readonly entry: TreeEntry | undefined;
  /** The files of the submodule that the path is within; undefined outside of submodules. */
  readonly submodule: FileAccess | undefined;
}

function hasCommit(folder: string, commit: string): boolean {
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
  if (!hasCommit(folder, commit))
    throw new CastellanError(
      'CAS7006',
      `the submodule ${name} is not here at the commit of the base, ${commit.slice(0, 12)}: run git submodule update --init ${name} and git -C ${name} fetch origin ${commit}`,
      { details: { submodule: name } },
    );
  const tree = lazyTree(folder, commit);
  return commitFileAccess({ root: folder, commit, tree, blobs: new Blobs(folder) }, folder);
}

/** Files that a check reads anyway: configurations, policies, baselines and owners of files. */
const castellanFile = /(^|\/)(castellan\.[^/]*|CODEOWNERS)$/;

/** The most bytes that one process of git reads ahead. */
const maxReadAhead = 64 * 1024 ** 2;

/**
 * The contents of a repository's files by their ids. The first read of a commit gets all of
 * Castellan's files in it, as a process for each takes seconds where there are hundreds.
 */
class Blobs {
  readonly #contents = new Map<string, Buffer>();
  readonly #prefetchedTrees = new Set<Tree>();

  constructor(private readonly root: string) {}

  /** The content of a file of `tree`. Throws the error of git if it can't be read. */
  read(id: string, tree: Tree): Buffer {
    const ids = this.#prefetchedTrees.has(tree) ? [] : castellanBlobIds(tree);
    this.#prefetchedTrees.add(tree);
    const missingIds = new Set([id, ...ids].filter((each) => !this.#contents.has(each)));
    if (missingIds.size > 1) this.#readBatch([...missingIds]);
    const content = this.#contents.get(id) ?? git(this.root, 'cat-file', 'blob', id);
    this.#contents.set(id, content);
    return content;
  }

  #readBatch(ids: readonly string[]): void {
    const output = execFileSync('git', ['cat-file', '--batch'], {
      cwd: this.root,
      input: `${ids.join('\n')}\n`,
      maxBuffer: maxOutputBytes,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (let start = 0; start < output.length;) {
      const end = output.indexOf('\n', start);
      const [id = '', type, size] = output.toString('utf8', start, end).split(' ');
      start = end + 1;
      if (type !== 'blob') continue; // `missing`: whoever needs it gets the error of git
      this.#contents.set(id, output.subarray(start, start + Number(size)));
      start += Number(size) + 1;
    }
  }
}

function castellanBlobIds({ entries }: Tree): readonly string[] {
  let bytes = 0;
  return [...entries].flatMap(([path, { blob, size }]) =>
    blob !== undefined && castellanFile.test(path) && (bytes += size) <= maxReadAhead ? [blob] : [],
  );
}

interface Tree {
  /** Everything in the commit, by path relative to the repository's root. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** The content of each folder; folders end with `/`. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}

/** The kind of path for each type of git object. */
const pathKinds: Readonly<Record<string, PathKind>> = {
  blob: 'file',
  tree: 'folder',
  commit: 'folder',
};

/** Lists a commit when that is first needed. */
function lazyTree(root: string, commit: string): () => Tree {
  let tree: Tree | undefined;
  return () => (tree ??= listTree(root, commit));
}

/** Lists everything in a commit with one call. */
function listTree(root: string, commit: string): Tree {
  const entries = new Map<string, TreeEntry>([['', { kind: 'folder', size: 0 }]]);
  const names = new Map<string, string[]>();
  for (const line of git(root, 'ls-tree', '-r', '-t', '-z', '--long', '--full-tree', commit)
    .toString()
    .split('\0')) {
    const [mode, type = '', id, size] = line.split(/\s+/, 4);
    if (id === undefined) continue;
    const path = line.slice(line.indexOf('\t') + 1);
    const kind = pathKinds[type] ?? 'other';
    entries.set(path, {
      kind,
      size: Number(size) || 0,
      ...(mode === '120000' ? { linkBlob: id } : type === 'blob' && { blob: id }),
      ...(type === 'commit' && { submoduleCommit: id }),
    });
    const slashIndex = path.lastIndexOf('/');
    const folder = slashIndex === -1 ? '' : path.slice(0, slashIndex);
    const siblings = names.get(folder) ?? [];
    siblings.push(`${path.slice(slashIndex + 1)}${kind === 'folder' ? '/' : ''}`);
    names.set(folder, siblings);
  }
  return { entries, names };
}
