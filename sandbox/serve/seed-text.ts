import { closeSync, openSync, readSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** One entry of a list as it is written. */
export interface EntryText {
  readonly list: string;
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

const chunk = 1 << 20;

/** A file's text, a megabyte at a time. @throws CAS4002 when it can't be read or isn't UTF-8. */
export function* textsOf(file: string): Generator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const bytes = Buffer.allocUnsafe(chunk);
  const read = <T>(body: () => T): T => {
    try {
      return body();
    } catch (cause) {
      throw new CastellanError('CAS4002', `${file} can't be read: ${(cause as Error).message}`, { cause });
    }
  };
  const handle = read(() => openSync(file, 'r'));
  try {
    for (;;) {
      const length = read(() => readSync(handle, bytes, 0, chunk, null));
      if (length === 0) break;
      yield read(() => decoder.decode(bytes.subarray(0, length), { stream: true }));
    }
    yield read(() => decoder.decode());
  } finally {
    closeSync(handle);
  }
}

/** More than this is no line of a seed, in characters: a file without line ends isn't read whole to find that out. */
const longestLine = 16 * 1024 * 1024;

/** A file's lines, without their ends. @throws CAS4002 for one that never ends. */
export function* linesOf(file: string): Generator<string> {
  let rest = '';
  let number = 1;
  for (const text of textsOf(file)) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
    number += lines.length;
    if (rest.length > longestLine)
      throw new CastellanError(
        'CAS4002',
        `${file}:${String(number)}: a line of more than 16 MB: in a seed of this size each entry has lines of its own`,
      );
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
