import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultEnvironment, environmentFolder } from './environment-folder.js';

/** The file in an environment's folder that says of which environment its sandbox is a copy. */
export const copyMark = 'copy.json';

/**
 * The environment of which another one is a copy (`castellan sandbox fork`).
 *
 * @returns undefined for an environment of its own
 */
export function copiedFrom(projectDir: string, environment: string): string | undefined {
  const mark = join(projectDir, environmentFolder(environment), copyMark);
  if (environment === defaultEnvironment || !existsSync(mark)) return undefined;
  return (JSON.parse(readFileSync(mark, 'utf8')) as { readonly of: string }).of;
}
