import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder with all that are missing above it. Level by level: Node's own recursive way never ends where a folder can't be made
 * below one that exists, as in /proc.
 *
 * @param mode permissions of the folders that are made, less the process's mask. @default 0o777
 * @returns the topmost folder that was made; undefined where all were there
 * @throws the system's error where a folder can't be made, or something else is there
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const folder = resolve(path);
  if (isFolder(folder)) return undefined;
  const topmost = makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return topmost;
  }
  return topmost ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
