import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { replaceFile } from '../core/source/replace-file.js';

/** Atomically writes a file that only its owner may read. */
export function writePrivate(path: string, content: string | Uint8Array): void {
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
 * The content of a JSON file in a sandbox's folder; undefined if it is missing, or is no JSON, as
 * after a crash.
 *
 * @throws CAS4013 when the file exists and can't be read, such as that of another user: it must not
 *   be replaced by a new one
 */
export function readJson<T>(path: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw new CastellanError('CAS4013', `${path} can't be read: ${(cause as Error).message}`, {
      cause,
    });
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
