import { statfs } from 'node:fs/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** In bytes: many times the state of a large stack, plus what the sandbox writes meanwhile. */
const requiredBytes = 16 * 1024 * 1024;

/**
 * Refuses to start when the disk is nearly full: Terraform writes its state in place, and a full
 * disk would leave half of it.
 *
 * @param free the free bytes of the folder. @default those of its file system
 * @throws CAS2106 when there are too few.
 */
export async function requireDiskSpace(folder: string, free?: number): Promise<void> {
  const available = free ?? (await freeBytes(folder));
  if (available >= requiredBytes) return;
  const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  throw new CastellanError(
    'CAS2106',
    `${folder} has ${megabytes(available)} MB free, and an apply needs ${megabytes(requiredBytes)}: nothing was changed`,
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
