import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

/** The polling interval of a file, in milliseconds. */
const interval = 50;

/**
 * Reads the lines that another process appends to a file.
 *
 * @param from the start position, in bytes.
 * @returns a function that reads the rest and stops.
 */
export function followFile(path: string, from: number, onLine: (line: string) => void): () => void {
  const file = openSync(path, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(64 * 1024);
  let position = from;
  let rest = '';
  const read = (): void => {
    for (let count = readSync(file, buffer, 0, buffer.length, position); count > 0;) {
      position += count;
      const lines = (rest + decoder.write(buffer.subarray(0, count))).split('\n');
      rest = lines.pop() ?? '';
      lines.forEach(onLine);
      count = readSync(file, buffer, 0, buffer.length, position);
    }
  };
  const timer = setInterval(read, interval);
  return () => {
    clearInterval(timer);
    read();
    if (rest !== '') onLine(rest);
    closeSync(file);
  };
}
