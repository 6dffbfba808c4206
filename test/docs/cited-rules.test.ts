import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rules } from '../../policies/rules/index.js';
import { root } from '../support/cli.js';

const pages = ['sign-in', 'directory', 'items', 'billing'] as const;
const headings = new Map(
  pages.map((page) => {
    const text = readFileSync(join(root, `docs/reference/${page}-rules.md`), 'utf8');
    return [page, new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading))];
  }),
);

/** The sections that a source cites, each with the page of its document. */
function citedSections(source: string): readonly (readonly [string, string])[] {
  const documents = [...source.matchAll(/(Sign-in|Directory|Items|Billing) rules([^;]*)/g)];
  return documents.flatMap(([, document = '', rest = '']) =>
    [...rest.matchAll(/"([^"]+)"/g)].map(
      ([, section = '']) => [document.toLowerCase(), section] as const,
    ),
  );
}

const sources = rules.flatMap(({ id, source }) =>
  citedSections(source).map(([page, section]) => [id, page, section] as const),
);

test("rules cite existing sections of the pages that state the systems' requirements", () =>
  expect(sources.length).toBeGreaterThan(60));

test.each(sources)(
  '%s cites a section that docs/reference/%s-rules.md has: %s',
  (_id, page, section) => {
    expect([...(headings.get(page as (typeof pages)[number]) ?? [])]).toContain(section);
  },
);

test.each([
  'access',
  'clients',
  'constructs',
  'core',
  'kinds',
  'policies',
  'provider',
  'sandbox',
  'services',
  'stacks',
])(
  'comments of %s name documents that a reader can open, not numbers of specifications',
  (folder) => {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(10);
    expect(
      files.filter((file) =>
        /\bspec(ification)? 00\d/i.test(readFileSync(join(root, folder, file), 'utf8')),
      ),
    ).toEqual([]);
  },
);
