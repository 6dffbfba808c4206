import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../../../kinds/stack/reference-page.js';

describe('docs/reference/configuration.md', () => {
  it('is what the schema says (npm run build && node scripts/write-reference.mjs)', () => {
    expect(readFileSync(join(__dirname, '../../../docs/reference/configuration.md'), 'utf8')).toBe(configurationPage());
  });
});
