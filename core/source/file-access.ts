import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is at a path. */
export type PathKind = 'file' | 'folder' | 'other' | 'missing';

/** The file system of a configuration: the disk, or an editor's unsaved texts. */
export interface FileAccess {
  /** The kind and size in bytes of the file at a path. */
  stat(path: string): { readonly kind: PathKind; readonly size: number };
  /** The bytes of a file. Throws the system's error if it cannot be read. */
  read(path: string): Uint8Array;
  /** The names in a folder, with `/` after the names of folders. */
  list(path: string): readonly string[];
  /**
   * The absolute paths of all files that belong to the repository, if it is known: generated and
   * installed ones don't.
   */
  tracked?(): readonly string[];
}

/**
 * The same files with cached folder listings: several parts of a check look for files beside a
 * configuration.
 */
export function cacheListings(files: FileAccess): FileAccess {
  const lists = new Map<string, readonly string[]>();
  return {
    ...files,
    list(path) {
      const list = lists.get(path) ?? files.list(path);
      lists.set(path, list);
      return list;
    },
  };
}

/** The files of the disk. */
export const diskFiles: FileAccess = {
  stat(path) {
    try {
      // An error with its stack trace takes longer than the call
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return { kind: 'missing', size: 0 };
      return {
        kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
        size: stat.size,
      };
    } catch {
      // cyclic links, a file in place of a folder, a name that is too long: reading reports it
      return { kind: 'file', size: 0 };
    }
  },
  read: (path) => readFileSync(path),
  list: (path) =>
    readdirSync(path, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    ),
};

/** The nearest folder at or above one with `.git`; undefined outside of a repository. */
export function repositoryOf(folder: string, files: FileAccess): string | undefined {
  if (files.stat(join(folder, '.git')).kind !== 'missing') return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : repositoryOf(parent, files);
}
