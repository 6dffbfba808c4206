import { readFileSync, readdirSync, statSync } from 'node:fs';

/** What is at a path. */
export type PathKind = 'file' | 'folder' | 'other' | 'missing';

/** The files that a configuration is read from: the disk, or an editor's unsaved text. */
export interface FileAccess {
  /** What is at the path, and how large it is in bytes. */
  look(path: string): { readonly kind: PathKind; readonly size: number };
  /** The bytes of a file. Throws what the system says when it can't be read. */
  read(path: string): Uint8Array;
  /** The names in a folder, with `/` after those of folders. */
  list(path: string): readonly string[];
}

/** The same files, with each folder listed once: several parts of a check look for files beside a configuration. */
export function listOnce(files: FileAccess): FileAccess {
  const lists = new Map<string, readonly string[]>();
  return {
    look: (path) => files.look(path),
    read: (path) => files.read(path),
    list(path) {
      const list = lists.get(path) ?? files.list(path);
      lists.set(path, list);
      return list;
    },
  };
}

/** The files of the disk. */
export const diskFiles: FileAccess = {
  look(path) {
    try {
      const stat = statSync(path, { throwIfNoEntry: false }); // an error with its trace takes longer than looking
      if (stat === undefined) return { kind: 'missing', size: 0 };
      return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other', size: stat.size };
    } catch {
      // links that lead round in a circle, a file where a folder is meant, a name that is too long: reading it says so
      return { kind: 'file', size: 0 };
    }
  },
  read: (path) => readFileSync(path),
  list: (path) => readdirSync(path, { withFileTypes: true }).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
};
