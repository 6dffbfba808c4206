import { join, relative, resolve } from 'node:path';
import type * as ignorePackage from 'ignore';
import type { FileAccess } from './file-access.js';

/** The paths at which GitHub and GitLab look for the file CODEOWNERS, in this order. */
const codeOwnersPaths = [
  '.github/CODEOWNERS',
  'CODEOWNERS',
  '.gitlab/CODEOWNERS',
  'docs/CODEOWNERS',
];

interface Entry {
  readonly pattern: ignorePackage.Ignore;
  readonly owners: readonly string[];
}

/**
 * Reads CODEOWNERS of a repository. Owners whose approval is optional (in sections of GitLab that
 * begin with `^`) do not count.
 *
 * @param root the folder of the repository.
 * @returns the owners of a file: those of the last pattern that matches it; none without a match.
 */
export function codeOwners(root: string, files: FileAccess): (file: string) => readonly string[] {
  const codeOwnersPath = codeOwnersPaths.find(
    (each) => files.stat(join(root, each)).kind === 'file',
  );
  if (codeOwnersPath === undefined) return () => [];
  const entries = parseEntries(
    Buffer.from(files.read(join(root, codeOwnersPath))).toString('utf8'),
  );
  return (file) => {
    const path = relative(root, resolve(root, file)).replaceAll('\\', '/');
    if (path.startsWith('../')) return [];
    return entries.findLast(({ pattern }) => pattern.ignores(path))?.owners ?? [];
  };
}

function parseEntries(text: string): readonly Entry[] {
  // Loaded with the first CODEOWNERS, since few checks read one.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { default: ignore } = require('ignore') as typeof ignorePackage;
  const entries: Entry[] = [];
  let isOptional = false;
  for (const each of text.split(/\r?\n/)) {
    const line = each.replace(/(^|\s)#.*$/, '').trim();
    const sectionHeading = /^(\^?)\[/.exec(line); // of GitLab
    if (sectionHeading) isOptional = sectionHeading[1] === '^';
    if (line === '' || sectionHeading) continue;
    const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/);
    const isExcluded = pattern.startsWith('!'); // GitLab: nobody has to approve these
    entries.push({
      pattern: ignore({ ignorecase: false }).add(isExcluded ? pattern.slice(1) : pattern),
      owners: isOptional || isExcluded ? [] : owners,
    });
  }
  return entries;
}
