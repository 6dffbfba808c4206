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

/** The files of the disk. */
export const diskFiles: FileAccess = {
  look(path) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'missing', size: 0 };
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other', size: stat.size };
  },
  read: (path) => readFileSync(path),
  list: (path) => readdirSync(path, { withFileTypes: true }).map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)),
};
