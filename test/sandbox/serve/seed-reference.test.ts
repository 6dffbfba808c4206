import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedExamples, seedReference } from '../../../scripts/seed-reference.js';
import { parseSeed } from '../../../sandbox/serve/seed-file.js';
import { seedSchema } from '../../../sandbox/serve/seed-properties.js';
import { root } from '../../support/cli.js';

test('docs/reference/seed.md is what the schema says (UPDATE_DOCS=1 writes it)', () => {
  const file = join(root, 'docs/reference/seed.md');
  if (process.env['UPDATE_DOCS']) writeFileSync(file, seedReference());
  expect(readFileSync(file, 'utf8')).toBe(seedReference());
});

test('docs/reference/seed.md has a valid example of each list', () => {
  const lists = Object.keys((seedSchema() as { readonly properties: object }).properties);
  expect(Object.keys(seedExamples)).toEqual(lists);
  expect(Object.keys(parseSeed(Object.values(seedExamples).join('\n'), 'seed.yaml'))).toEqual(
    lists,
  );
});
