import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseJson } from '../parse-json.js';

/** A compiled policy with its data. */
export interface PolicyBundle {
  readonly wasm: Uint8Array;
  readonly data: unknown;
}

/** The size of headers and of the blocks of files in a tar archive, in bytes. */
const blockSize = 512;
/** The most bytes that a bundle may unpack to. */
const maxBundleBytes = 64 * 1024 * 1024;

/**
 * Reads the output of `opa build -t wasm`: the whole bundle (`bundle.tar.gz`) with its data, or the
 * `policy.wasm` from it.
 *
 * @throws Error for anything else.
 */
export function readPolicyBundle(file: string): PolicyBundle {
  const content = readFileSync(file);
  if (file.endsWith('.wasm')) return { wasm: content, data: {} };
  const entries = tarEntries(unpack(content));
  const wasm = entries.get('policy.wasm');
  if (wasm === undefined)
    throw new Error(
      'the bundle holds no policy.wasm: build it with opa build -t wasm -e castellan/deny',
    );
  return { wasm, data: parseJsonObject('data.json', entries.get('data.json')) };
}

/** Reads a policy's data from a JSON file. */
export function readPolicyData(file: string): unknown {
  return parseJsonObject(file, readFileSync(file));
}

function unpack(content: Buffer): Buffer {
  try {
    return gunzipSync(content, { maxOutputLength: maxBundleBytes });
  } catch (cause) {
    throw new Error(`the bundle can't be unpacked: ${(cause as Error).message}`, { cause });
  }
}

/** The files in a tar archive by name, without a leading slash. */
function tarEntries(archive: Buffer): ReadonlyMap<string, Uint8Array> {
  const entries = new Map<string, Uint8Array>();
  for (let offset = 0; offset + blockSize <= archive.length && archive[offset] !== 0;) {
    const header = archive.subarray(offset, offset + blockSize);
    // the tar header (POSIX ustar) has the name in bytes 0 to 99, the size in octal in 124 to 135
    const name = textAt(header, 0, 100).replace(/^\.?\//, '');
    const size = Number.parseInt(textAt(header, 124, 12), 8);
    if (!Number.isInteger(size) || offset + blockSize + size > archive.length)
      throw new Error('the bundle is no whole tar archive');
    entries.set(name, archive.subarray(offset + blockSize, offset + blockSize + size));
    offset += blockSize + Math.ceil(size / blockSize) * blockSize;
  }
  return entries;
}

function textAt(header: Buffer, start: number, length: number): string {
  return header
    .subarray(start, start + length)
    .toString('latin1')
    .replace(/\0.*$/s, '')
    .trim();
}

function parseJsonObject(name: string, content: Uint8Array | undefined): unknown {
  if (content === undefined) return {};
  const data = parseJson(name, Buffer.from(content).toString('utf8'));
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    throw new Error(`${name} must hold an object`);
  return data;
}
