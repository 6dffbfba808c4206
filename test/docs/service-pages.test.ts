import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

const readPage = (page: string): string =>
  readFileSync(join(root, 'docs/contributing', page), 'utf8');

describe.each([
  ['items-service.md', 'test/services/items'],
  ['billing-service.md', 'test'],
])('docs/contributing/%s', (page, folder) => {
  const citedTests = [
    ...readPage(page).matchAll(/^\|.*\| `([^`]+\.(?:test|e2e)\.ts)` › (.+) \|$/gm),
  ].map(([, file = '', title = '']) => [file, title] as const);

  it('cites tests', () => expect(citedTests.length).toBeGreaterThan(15));

  it.each(citedTests)('%s has the test "%s"', (file, title) => {
    const text = readFileSync(join(root, folder, file), 'utf8');
    expect(text.replace(/\\'/g, "'")).toContain(title);
  });
});

describe('docs/contributing/directory-service.md', () => {
  const citedFiles = [
    ...new Set(
      [...readPage('directory-service.md').matchAll(/`([\w/-]+\.(?:test|e2e)\.ts)`/g)].map(
        ([, file = '']) => file,
      ),
    ),
  ];

  it('cites test files', () => expect(citedFiles.length).toBeGreaterThan(20));

  it.each(citedFiles)('cites the test file %s, which exists', (file) => {
    expect(existsSync(join(root, 'test/services/directory', file))).toBe(true);
  });
});
