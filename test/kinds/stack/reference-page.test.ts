import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from '../../../kinds/stack/reference-page.js';
import { root } from '../../support/cli.js';

describe('docs/reference/configuration.md', () => {
  it('is what the schema says (UPDATE_DOCS=1 writes it)', () => {
    const file = join(root, 'docs/reference/configuration.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, configurationPage());
    expect(readFileSync(file, 'utf8')).toBe(configurationPage());
  });
});
