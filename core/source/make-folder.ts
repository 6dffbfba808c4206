import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder with its missing parents, one by one: Node's recursive mkdir never returns if a
 * folder cannot be created below an existing one, as in /proc.
 *
 * @param mode permissions of the created folders, reduced by the umask.
 * @default 0o777
 * @returns the topmost created folder; undefined if all existed
 * @throws the system's error if a folder cannot be created, or the path is not a folder
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  if (isFolder(folder)) return undefined;
  const topmost = makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return topmost;
  }
  return topmost ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
