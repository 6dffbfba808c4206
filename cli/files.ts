import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { replaceText } from '../core/source/replace-file.js';
import type { CliIo } from './command.js';

/**
 * Reads a file that the user named.
 *
 * @param file as the user wrote it, seen from the command's folder.
 * @throws CAS1001 with what the system says.
 */
export function readInput({ cwd }: Pick<CliIo, 'cwd'>, file: string): string {
  try {
    return readFileSync(resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new CastellanError('CAS1001', `${file}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Writes the output of a command to the file, device or pipe that the user named.
 *
 * @param file as the user wrote it, seen from the command's folder.
 * @throws CastellanError CAS8203 with what the system says.
 */
export function writeOutput(io: CliIo, file: string, text: string): void {
  writing(file, () => writeFileSync(resolve(io.cwd, file), text));
}

/**
 * Replaces a file of the user atomically: where it can't be written, it stays as it was.
 *
 * @param file as the user wrote it, seen from the command's folder.
 * @throws CastellanError CAS8203 with what the system says.
 */
export function changeFile(io: CliIo, file: string, text: string): void {
  writing(file, () => replaceText(resolve(io.cwd, file), text));
}

function writing(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new CastellanError('CAS8203', `${file}: ${(error as NodeJS.ErrnoException).message}`, { details: { file }, cause: error });
  }
}
