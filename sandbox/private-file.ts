import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile } from '../core/source/replace-file.js';

/** Atomically writes a file that only its owner may read. */
export function writePrivate(path: string, content: string): void {
  replaceFile(path, (draft) => writeFileSync(draft, content, { mode: 0o600 }));
}

/**
 * Writes a text with secrets to a file `config.json` in a folder of its own, which is deleted after
 * the work.
 */
export async function withPrivateFile(
  text: string,
  work: (file: string) => Promise<unknown>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-'));
  const file = join(folder, 'config.json');
  try {
    writePrivate(file, text);
    await work(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
