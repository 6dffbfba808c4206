import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { replaceText } from '../core/source/replace-file.js';
import type { CliIo } from './command.js';

/**
 * Reads a file named by the user.
 *
 * @param file the path as the user wrote it, relative to the command's folder.
 * @throws CAS1001 with the system's reason.
 */
export function readInput({ cwd }: Pick<CliIo, 'cwd'>, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CastellanError('CAS1001', `${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes the output of a command to a file, device or pipe named by the user.
 *
 * @param file the path as the user wrote it, relative to the command's folder.
 * @throws CastellanError CAS8203 with the system's reason.
 */
export function writeOutput(io: CliIo, file: string, text: string): void {
  withWriteErrors(file, () => writeFileSync(resolve(io.cwd, file), text));
}

/**
 * Replaces a file of the user atomically: if it cannot be written, it is not changed.
 *
 * @param file the path as the user wrote it, relative to the command's folder.
 * @throws CastellanError CAS8203 with the system's reason.
 */
export function changeFile(io: CliIo, file: string, text: string): void {
  withWriteErrors(file, () => replaceText(resolve(io.cwd, file), text));
}

/** Runs a write of a user's file. @throws CAS8203 with the system's reason */
function withWriteErrors(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new CastellanError('CAS8203', `${file}: ${(error as NodeJS.ErrnoException).message}`, {
      details: { file },
      cause: error,
    });
  }
}
