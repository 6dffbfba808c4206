import { isUtf8 } from 'node:buffer';
import type { FileAccess } from './file-access.js';
import type { Problem, ProblemId } from './problem.js';
import { SourceText } from './source-text.js';

/** The largest file that is read as a configuration. */
export const maxFileBytes = 20 * 1024 * 1024;

/** A file's text, or its first problem. */
export type ReadResult = { readonly source: SourceText } | { readonly problem: Problem };

/**
 * Reads a configuration file, which must be a regular file of at most 20 MB in UTF-8.
 *
 * @param path the path to read.
 * @param name the path as the user wrote it.
 */
export function readSource(path: string, files: FileAccess, name: string = path): ReadResult {
  const problem = (id: ProblemId, message: string, line = 1, column = 1): ReadResult => ({
    problem: { id, message, location: { file: name, line, column } },
  });
  const { kind, size } = statOf(path, files);
  if (kind === 'missing') return problem('config-unreadable', `${name} does not exist`);
  if (kind === 'folder') return problem('config-unreadable', `${name} is a folder, not a file`);
  if (kind === 'other') return problem('config-unreadable', `${name} is not a regular file`);
  if (size > maxFileBytes)
    return problem(
      'config-too-large',
      `${name} has ${toMegabytes(size)} MB; at most ${toMegabytes(maxFileBytes)} MB are read`,
    );
  let bytes: Buffer;
  try {
    const content = files.read(path);
    bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  } catch (error) {
    return problem('config-unreadable', `${name} can't be read: ${systemErrorText(error)}`);
  }
  if (bytes.length > maxFileBytes)
    return problem(
      'config-too-large',
      `${name} has ${toMegabytes(bytes.length)} MB; at most ${toMegabytes(maxFileBytes)} MB are read`,
    );
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return problem('config-encoding', `${name} is in UTF-16; save it as UTF-8`);
  if (!isUtf8(bytes)) {
    const offset = firstInvalidByte(bytes);
    const before = bytes.subarray(0, offset).toString('utf8');
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    const byte = `0x${(bytes[offset] ?? 0).toString(16).padStart(2, '0')}`;
    return problem(
      'config-encoding',
      `byte ${byte} is not UTF-8 here; save the file as UTF-8`,
      line,
      column,
    );
  }
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return { source: new SourceText(name, bytes.toString('utf8', start)) };
}

function statOf(path: string, files: FileAccess): ReturnType<FileAccess['stat']> {
  try {
    return files.stat(path);
  } catch {
    return { kind: 'file', size: 0 }; // reading the file reports why its path can't be inspected
  }
}

/** The offset of the first byte that is not part of a UTF-8 character. */
function firstInvalidByte(bytes: Buffer): number {
  let [validEnd, invalidEnd] = [0, bytes.length];
  while (invalidEnd - validEnd > 1) {
    const middle = (validEnd + invalidEnd) >> 1;
    if (isUtf8(bytes.subarray(0, lastBoundary(bytes, middle)))) validEnd = middle;
    else invalidEnd = middle;
  }
  return lastBoundary(bytes, validEnd);
}

/** The nearest offset at or before the given one at which a character starts. */
function lastBoundary(bytes: Buffer, offset: number): number {
  let position = offset;
  while (position > 0 && offset - position < 3 && ((bytes[position] ?? 0) & 0xc0) === 0x80)
    position--;
  return position;
}

function toMegabytes(size: number): number {
  return Math.round((size / 1024 / 1024) * 10) / 10;
}

/** A system error in words: `permission denied` for EACCES. */
export function systemErrorText(error: unknown): string {
  const code = (error as { code?: unknown }).code;
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? error.message : String(error);
}
