import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

describe.each([
  ['items-service.md', 'test/services/items'],
  ['billing-service.md', 'test'],
])('docs/contributing/%s', (page, folder) => {
  const rows = [
    ...readFileSync(join(root, 'docs/contributing', page), 'utf8').matchAll(
      /^\|.*\| `([^`]+\.(?:test|e2e)\.ts)` › (.+) \|$/gm,
    ),
  ];

  it('names tests', () => expect(rows.length).toBeGreaterThan(15));

  it.each(rows.map(([, file = '', title = '']) => [file, title] as const))(
    '%s has the test "%s"',
    (file, title) => {
      const text = readFileSync(join(root, folder, file), 'utf8');
      expect(text.replace(/\\'/g, "'")).toContain(title);
    },
  );
});
