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

/** A file's lines, without their ends. */
export function* linesOf(file: string): Generator<string> {
  let rest = '';
  for (const text of textsOf(file)) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}
