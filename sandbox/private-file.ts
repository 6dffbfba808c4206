import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { replaceFile } from '../core/source/replace-file.js';

/** Atomically writes a file that only its owner may read. */
export function writePrivate(path: string, content: string): void {
  replaceFile(path, (draft) => writeFileSync(draft, content, { mode: 0o600 }));
}

/** The content of a JSON file; undefined if it is missing or incomplete. */
export function readJson<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined; // cut off by a crash or deleted in the meantime: treated as missing
  }
}
