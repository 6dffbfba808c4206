import { isAscii } from 'node:buffer';
import { open } from 'node:fs/promises';
import { JsonElementSplitter, type JsonPlace } from './json-elements.js';

/** What is made of a piece should be gone before the next one: the collector copies what is left. */
const pieceSize = 128 * 1024;

/** What is read, and how its mistakes are said. */
export interface ElementsOptions {
  readonly places: JsonPlace;
  /** What the file should hold: `what terraform show -json PLANFILE prints`. */
  readonly expected: string;
  /** Makes the error of a file that can't be used. */
  readonly refused: (why: string, cause?: unknown) => Error;
  /** Looks at the plain values of the document's top level, when all of it was read. */
  readonly atEnd: (header: ReadonlyMap<string, string>) => void;
}

/** Objects that a file holds side by side, and where. */
export interface ReadElements {
  readonly elements: readonly unknown[];
  readonly place: JsonPlace;
  /** The keys on the way there that the places leave open, the outermost first. */
  readonly keys: readonly string[];
}

/** Reads the wanted objects of a JSON file, some at a time, in memory that doesn't grow with the file. */
export async function* readElements(file: string, { places, expected, refused, atEnd }: ElementsOptions): AsyncGenerator<ReadElements> {
  const splitter = new JsonElementSplitter(places);
  let size = 0;
  try {
    for await (const chunk of piecesOf(file)) {
      const piece = size === 0 ? withoutMark(chunk) : chunk;
      size += chunk.length;
      for (const { bytes, place, keys } of splitter.push(piece))
        yield { elements: JSON.parse(`[${textOf(bytes)}]`) as readonly unknown[], place, keys };
    }
  } catch (cause) {
    throw refused(reasonOf(cause as NodeJS.ErrnoException, expected), cause);
  }
  if (size === 0) throw refused(`it is empty; expected is ${expected}`);
  if (!splitter.complete) throw refused(`it ends in the middle of its JSON; expected is ${expected}`);
  atEnd(splitter.header);
}

/** The pieces of a file: two buffers in turns, one of which is filled while the other one is looked at. */
async function* piecesOf(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const read = async (buffer: Buffer): Promise<Buffer> => buffer.subarray(0, (await handle.read(buffer, 0, buffer.length)).bytesRead);
  const ignore = (): undefined => undefined; // a failure is reported where its piece is awaited; nothing after an error is awaited
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
    // it waits for what is being read, which from a pipe may take as long as its writer likes: an error is reported at once
    handle.close().catch(ignore);
  }
}

/** The text of bytes: most are ASCII, which needs no decoding. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  const bytes = Buffer.from(buffer, byteOffset, length);
  return isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
}

/** The first piece without the mark of its encoding. Throws for what is clearly something else. */
function withoutMark(chunk: Buffer): Buffer {
  const [first, second, third] = chunk;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || second === 0)
    throw new Error('it is UTF-16, as PowerShell writes it; write it as UTF-8: … | Out-File -Encoding utf8');
  if (first === 0x50 && second === 0x4b) throw new Error('it is the plan file itself');
  return first === 0xef && second === 0xbb && third === 0xbf ? chunk.subarray(3) : chunk;
}

function reasonOf({ code, message }: NodeJS.ErrnoException, expected: string): string {
  if (code === 'ENOENT') return 'it does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  return code === undefined ? `${message}; expected is ${expected}` : message;
}
