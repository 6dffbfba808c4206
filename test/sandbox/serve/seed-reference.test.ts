import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seedReference } from '../../../scripts/seed-reference.js';
import { root } from '../../support/cli.js';

test('docs/reference/seed.md is what the schema says (UPDATE_DOCS=1 writes it)', () => {
  const file = join(root, 'docs/reference/seed.md');
  if (process.env['UPDATE_DOCS']) writeFileSync(file, seedReference());
  expect(readFileSync(file, 'utf8')).toBe(seedReference());
});
