import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Makes a folder once in a run of the tests: by the first test that needs it, while others wait.
 *
 * @param make fills the folder that it gets.
 */
export async function makeOnce(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(tmpdir(), name);
  const making = `${folder}-making`;
  while (!existsSync(folder)) {
    try {
      mkdirSync(making);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      await wait(200);
      continue;
    }
    try {
      if (existsSync(folder)) break; // another test has made it just now
      const draft = mkdtempSync(`${folder}-`);
      await make(draft);
      renameSync(draft, folder);
    } finally {
      rmdirSync(making); // where it failed, the next test tries
    }
  }
  return folder;
}
