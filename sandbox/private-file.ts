import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/**
 * The content of a JSON file; undefined if it is missing, or is no JSON, as after a crash.
 *
 * @throws Error of the system for a file that exists and can't be read: it must not be replaced by a
 *   new one
 */
export function readJson<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code));
}
