import { dirname, join, relative, resolve } from 'node:path';
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
  readonly matches: (path: string) => boolean;
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
    return entries.findLast(({ matches }) => matches(path))?.owners ?? [];
  };
}

function parseEntries(text: string): readonly Entry[] {
  // Loaded with the first CODEOWNERS, since few checks read one.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { default: ignore } = require('ignore') as typeof ignorePackage;
  const entries: Entry[] = [];
  let [isOptional, sectionOwners]: [boolean, readonly string[]] = [false, []];
  for (const rawLine of text.split(/\r?\n/)) {
    const line = rawLine.replace(/(^|\s)#.*$/, '').trim();
    // of GitLab: `^[Name][2] @owner`
    const [sectionHeading, mark, defaultOwners = ''] =
      /^(\^?)\[[^\]]*\]?(?:\[\d*\])?(.*)$/.exec(line) ?? [];
    if (sectionHeading !== undefined)
      [isOptional, sectionOwners] = [mark === '^', defaultOwners.split(/\s+/).filter(Boolean)];
    if (line === '' || sectionHeading !== undefined) continue;
    const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/);
    const isExcluded = pattern.startsWith('!'); // GitLab: nobody has to approve these
    entries.push({
      matches: patternMatcher(
        ignore({ ignorecase: false }).add(isExcluded ? pattern.slice(1) : pattern),
        pattern,
      ),
      owners: isOptional || isExcluded ? [] : owners.length > 0 ? owners : sectionOwners,
    });
  }
  return entries;
}

/** A pattern owns what is below a folder that it matches; `docs/*` only the files of `docs` itself. */
function patternMatcher(matcher: ignorePackage.Ignore, pattern: string): (path: string) => boolean {
  if (!/(?:^|[^*])\/\*$/.test(pattern)) return (path) => matcher.ignores(path);
  return (path) =>
    matcher.ignores(path) && (!path.includes('/') || !matcher.ignores(dirname(path)));
}
