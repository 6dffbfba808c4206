import { statfs } from 'node:fs/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** In bytes: many times the state of a large stack, and what the sandbox writes meanwhile. */
const needed = 16 * 1024 * 1024;

/**
 * Refuses to go on where the disk is nearly full: Terraform writes its state in place, and a full disk would leave half of it.
 *
 * @param free how many bytes are free there. @default what the file system says
 * @throws CAS2106
 */
export async function requireRoom(folder: string, free?: number): Promise<void> {
  const room = free ?? (await freeBytes(folder));
  if (room >= needed) return;
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  throw new CastellanError(
    'CAS2106',
    `${folder} has ${megabytes(room)} MB free, and an apply needs ${megabytes(needed)}: nothing was changed`,
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
