import { join, relative, resolve } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { FileAccess } from './file-access.js';

/** Where GitHub and GitLab look for it, in this order. */
const places = ['.github/CODEOWNERS', 'CODEOWNERS', '.gitlab/CODEOWNERS', 'docs/CODEOWNERS'];

/**
 * Reads CODEOWNERS of a repository.
 *
 * @param root the folder of the repository.
 * @returns the owners of a file: those of the last pattern that matches it; none without a match.
 */
export function codeOwners(root: string, files: FileAccess): (file: string) => readonly string[] {
  const place = places.find((each) => files.stat(join(root, each)).kind === 'file');
  if (place === undefined) return () => [];
  const entries = Buffer.from(files.read(join(root, place)))
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '' && !/^\^?\[/.test(line)) // sections are GitLab's
    .map((line): readonly [Ignore, readonly string[]] => {
      const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/);
      return [ignore().add(pattern), owners];
    });
  return (file) => {
    const path = relative(root, resolve(root, file)).replaceAll('\\', '/');
    if (path.startsWith('../')) return [];
    return entries.findLast(([pattern]) => pattern.ignores(path))?.[1] ?? [];
  };
}
