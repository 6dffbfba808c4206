import { statfs } from 'node:fs/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** In bytes: many times the state of a large stack, plus what the sandbox writes meanwhile. */
const bufferSize = 16 * 1024 * 1024;

/**
 * Refuses to start when the disk is nearly full: Terraform writes its state in place, and a full
 * disk would leave half of it.
 *
 * @param free the free bytes there.
 * @default those of the file system
 * @throws CAS2106
 */
export async function requireDiskSpace(folder: string, free?: number): Promise<void> {
  const room = free ?? (await freeBytes(folder));
  if (room >= bufferSize) return;
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  throw new CastellanError(
    'CAS2106',
    `${folder} has ${megabytes(room)} MB free, and an apply needs ${megabytes(bufferSize)}: nothing was changed`,
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
