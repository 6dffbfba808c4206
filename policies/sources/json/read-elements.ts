// Reads a plan of 60 MB with less than half its size of memory, by rereading the few resources that
// wait for others.
import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { JsonElementSplitter, type JsonPlace } from './json-elements.js';

/**
 * The objects of a chunk should be garbage before the next one: the collector copies what is still
 * in use.
 */
const pieceSize = 64 * 1024;

/** The wanted elements, and the errors of the file. */
export interface ElementsOptions {
  readonly places: JsonPlace;
  /** The expected content of the file: `what terraform show -json PLANFILE prints`. */
  readonly expected: string;
  /** Creates the error for an unusable file. */
  readonly refuse: (why: string, cause?: unknown) => Error;
  /** Checks the plain values of the document's top level after all of it was read. */
  readonly atEnd: (header: ReadonlyMap<string, string>) => void;
}

/** Adjacent objects of a file, with their position. */
export interface ReadElements {
  readonly elements: readonly unknown[];
  readonly place: JsonPlace;
  /** The keys on the path that the places leave open, the outermost first. */
  readonly keys: readonly string[];
  /** Reads the elements again, so that they need not be kept. */
  readonly again: () => readonly unknown[];
}

/** Reads the wanted objects of a JSON file in batches, with constant memory. */
export async function* readElements(
  file: string,
  { places, expected, refuse, atEnd }: ElementsOptions,
): AsyncGenerator<ReadElements> {
  const splitter = new JsonElementSplitter(places);
  const before = statSync(file, { throwIfNoEntry: false });
  let size = 0;
  let mark = 0;
  try {
    for await (const chunk of before?.isFile() === true ? filePieces(file) : piecesOf(file)) {
      const piece = size === 0 ? withoutMark(chunk) : chunk;
      mark += chunk.length - piece.length;
      size += chunk.length;
      for (const { bytes, start, place, keys } of splitter.push(piece)) {
        const [from, { length }] = [mark + start, bytes];
        // the content of a pipe is gone
        const copy = before?.isFile() === true ? undefined : Uint8Array.prototype.slice.call(bytes);
        const again = (): readonly unknown[] =>
          elementsOf(copy ?? bytesOf(file, { from, length, before, refuse }));
        yield {
          elements: parse(bytes, (position) => lineAt(file, from + position)),
          place,
          keys,
          again,
        };
      }
    }
  } catch (cause) {
    throw refuse(reasonOf(cause as NodeJS.ErrnoException, expected), cause);
  }
  if (size === 0) throw refuse(`it is empty; expected is ${expected}`);
  if (!splitter.complete)
    throw refuse(`it ends in the middle of its JSON; expected is ${expected}`);
  atEnd(splitter.header);
}

/**
 * The chunks of a file on disk. Reads synchronously: node's thread pool would take a tenth of a
 * plan's time.
 */
function* filePieces(file: string): Generator<Buffer> {
  const handle = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(pieceSize);
    for (let read = readSync(handle, buffer); read > 0; read = readSync(handle, buffer))
      yield buffer.subarray(0, read);
  } finally {
    closeSync(handle);
  }
}

/** The chunks of a pipe: two buffers in turns, one being filled while the other one is parsed. */
async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const read = async (buffer: Buffer): Promise<Buffer> =>
    buffer.subarray(0, (await handle.read(buffer, 0, buffer.length)).bytesRead);
  const ignore = (): undefined => undefined; // failures are reported where the chunk is awaited; after an error nothing is awaited
  let [current, other] = [Buffer.allocUnsafeSlow(pieceSize), Buffer.allocUnsafeSlow(pieceSize)];
  try {
    let coming: Promise<Buffer>;
    for (let piece = await read(current); piece.length > 0; piece = await coming) {
      coming = read(other);
      coming.catch(ignore);
      [current, other] = [other, current];
      yield piece;
    }
  } finally {
    // waits for the pending read, which from a pipe may take as long as its writer takes: an error
    // is reported at once
    handle.close().catch(ignore);
  }
}

/** Parses adjacent objects; an error is reported with its line. */
function parse(bytes: Uint8Array, lineOf: (position: number) => string): readonly unknown[] {
  try {
    return elementsOf(bytes);
  } catch (cause) {
    const [, what = '', position = '1'] =
      /^(.*?)(?: in JSON at position (\d+).*)?$/.exec((cause as Error).message) ?? [];
    // the text starts with an added bracket; without a position the error is in this chunk
    throw new Error(`${what}, ${lineOf(Number(position) - 1)}`, { cause });
  }
}

/** The line and column of a byte in a file; for a pipe, the byte. */
function lineAt(file: string, offset: number): string {
  if (!statSync(file).isFile()) return `byte ${String(offset + 1)}`;
  let [line, column, left] = [1, 1, offset];
  for (const piece of filePieces(file)) {
    for (const byte of piece.subarray(0, left))
      [line, column] = byte === 0x0a ? [line + 1, 1] : [line, column + 1];
    left -= Math.min(left, piece.length);
  }
  return `line ${String(line)}, column ${String(column)}`;
}

/** A buffer for the elements of a chunk and the brackets around them. */
let list = Buffer.alloc(0);

/** Adds the brackets to the bytes: concatenating strings would copy the text again. */
function elementsOf(bytes: Uint8Array): readonly unknown[] {
  const length = bytes.length + 2;
  if (length > list.length) list = Buffer.allocUnsafeSlow(Math.max(length, pieceSize + 2));
  list[0] = 0x5b;
  list.set(bytes, 1);
  list[length - 1] = 0x5d;
  const text = textOf(list.subarray(0, length));
  if (length > bufferLimit) list = Buffer.alloc(0);
  return JSON.parse(text) as readonly unknown[];
}

/** A larger buffer is not kept: a single resource may have 256 MB. */
const bufferLimit = 16 * pieceSize;

interface Bytes extends Pick<ElementsOptions, 'refuse'> {
  readonly from: number;
  readonly length: number;
  /** The file's state at the first read. */
  readonly before: Stats | undefined;
}

/** Rereads bytes of a file. */
function bytesOf(file: string, { from, length, before, refuse }: Bytes): Uint8Array {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    const read = readSync(handle, bytes, 0, length, from);
    if (read !== length || statSync(file).mtimeMs !== before?.mtimeMs)
      throw refuse('it changed while it was read');
    return bytes;
  } finally {
    closeSync(handle);
  }
}

/** Decodes bytes: most are ASCII, which takes a shortcut. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, length);
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/**
 * The first chunk without its byte order mark. Throws for content that is clearly something else.
 */
function withoutMark(chunk: Buffer): Buffer {
  const [first, second, third] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0)
    throw new Error(
      'it is UTF-16, as PowerShell writes it; write it as UTF-8: … | Out-File -Encoding utf8',
    );
  if (first === 0x50 && second === 0x4b) throw new Error('it is the plan file itself');
  if (first === 0x1f && second === 0x8b) throw new Error('it is compressed by gzip');
  return first === 0xef && second === 0xbb && third === 0xbf ? chunk.subarray(3) : chunk;
}

function reasonOf({ code, message }: NodeJS.ErrnoException, expected: string): string {
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  return code === undefined ? `${message}; expected is ${expected}` : message;
}
