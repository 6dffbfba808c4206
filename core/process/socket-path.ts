import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The longest path of a unix socket, in bytes: 103 on macOS and 107 on Linux (`sun_path`), with some
 * to spare.
 */
export const maxSocketPathBytes = 100;

/**
 * The folder for temporary sockets: the system's, or `/tmp` where their paths would be too long.
 *
 * @param name the longest path of a socket in the folder.
 */
export function temporarySocketFolder(name: string): string {
  return Buffer.byteLength(join(tmpdir(), name)) <= maxSocketPathBytes ? tmpdir() : '/tmp';
}
