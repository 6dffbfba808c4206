import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { replaceFile } from '../core/source/replace-file.js';

/** Writes a file that only its owner may read, atomically. */
export function writePrivate(path: string, content: string): void {
  replaceFile(path, (draft) => writeFileSync(draft, content, { mode: 0o600 }));
}

/** The content of a JSON file; undefined when it is missing or incomplete. */
export function readJson<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined; // cut off by a crash or removed meanwhile: treated as missing
  }
}
