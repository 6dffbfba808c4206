import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventstreamPage } from '../../../kinds/eventstream/reference-page.js';
import { root } from '../../support/cli.js';

describe('docs/reference/eventstreams.md', () => {
  it('is what the descriptions of the nodes say (UPDATE_DOCS=1 writes it)', () => {
    const file = join(root, 'docs/reference/eventstreams.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, eventstreamPage());
    expect(readFileSync(file, 'utf8')).toBe(eventstreamPage());
  });
});
