import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { root } from '../support/cli.js';

const topFolders = [
  'access',
  'bench',
  'cli',
  'clients',
  'constructs',
  'core',
  'docs',
  'editors',
  'examples',
  'kinds',
  'packages',
  'policies',
  'provider',
  'sandbox',
  'scripts',
  'services',
  'stacks',
  'test',
];

/** Every file and folder of the repository. */
const repositoryPaths = topFolders.flatMap((folder) => [folder, ...pathsBelow(folder)]);

function pathsBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name.startsWith('.')) return [];
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? [path, ...pathsBelow(path)] : [path];
  });
}

const pagesIn = (folder: string): string[] =>
  pathsBelow(folder).filter((path) => path.endsWith('.md'));
const pages = [
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'services/directory/README.md',
  ...pagesIn('docs/adr'),
  ...pagesIn('docs/contributing'),
];

/** The words between backquotes that are paths of the repository: folders, and files of code. */
function pathsIn(quotedWords: readonly string[]): string[] {
  const paths = quotedWords.filter(
    (words) =>
      /^\w[\w./-]*$/.test(words) &&
      (/\/$|\.(?:ts|tsx|mts|mjs|cjs)$/.test(words) ||
        topFolders.some((folder) => words.startsWith(`${folder}/`))),
  );
  return paths.map((path) => path.replace(/\/$/, '').replace(/\.js$/, '.ts'));
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const quotedWords = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, words = '']) => words,
  );

  // A page about one folder leaves out the path before it (`upstream/pool.ts`), and a program
  // `.js` is built from the `.ts` file of the same name.
  it('names files and folders that are there', () => {
    expect(
      pathsIn(quotedWords).filter(
        (path) => !repositoryPaths.some((place) => place === path || place.endsWith(`/${path}`)),
      ),
    ).toEqual([]);
  });

  it('names scripts that npm can run', () => {
    const scripts = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const { forbidden } = createRequire(join(root, 'package.json'))('./.dependency-cruiser.cjs') as {
    readonly forbidden: readonly {
      readonly name: string;
      readonly to: { readonly path?: string };
    }[];
  };
  const rows = [...page.matchAll(/^\| `(\w+)\/` \|.*\| ([^|]+) \|$/gm)].map(
    ([, folder = '', imports = '']) => ({ folder, imports }),
  );

  it('has all folders of the source', () => {
    expect(rows.map(({ folder }) => folder).sort()).toEqual(
      topFolders.filter((folder) => hasRule(`${folder}-imports-one-way`)).sort(),
    );
    expect(rows.length).toBeGreaterThan(10);
    expect(pathsIn(page.match(/(?<=`)[^`\n]+(?=`)/g) ?? []).length).toBeGreaterThan(50);
  });

  it.each(rows)(
    'says of $folder what dependency-cruiser lets it import: $imports',
    ({ folder, imports }) => {
      const forbiddenPattern = new RegExp(
        forbidden.find(({ name }) => name === `${folder}-imports-one-way`)?.to.path ?? '',
      );
      const allowedFolders = rows
        .map((row) => row.folder)
        .filter((other) => other !== folder && !forbiddenPattern.test(`${other}/`));
      const documentedFolders =
        imports === 'all'
          ? rows.map((row) => row.folder).filter((other) => other !== folder)
          : imports.split(', ');
      expect(allowedFolders.sort()).toEqual(
        documentedFolders.filter((each) => each !== 'nothing').sort(),
      );
    },
  );

  it('has the folders of policies in the order that dependency-cruiser holds', () => {
    const order = forbidden.flatMap(
      ({ name }) => /^policies-(.*)-imports-one-way$/.exec(name)?.[1] ?? [],
    );
    const table = [...page.matchAll(/^\| ((?:`policies\/[\w-]+\/`(?:, )?)+) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/(?<=\/)[\w-]+(?=\/`)/g) ?? [],
    );
    expect(table).toEqual(order);
  });

  function hasRule(name: string): boolean {
    return forbidden.some((rule) => rule.name === name);
  }
});
