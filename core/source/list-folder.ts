import { readdirSync } from 'node:fs';

/**
 * The names in a folder; none if it is missing.
 *
 * @throws the system's error if the folder cannot be read: it may hold something
 */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw error;
  }
}
