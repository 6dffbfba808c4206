import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constructProps } from '../../scripts/construct-props.js';
import { root } from '../support/cli.js';

describe('constructs/generated/declarations.ts', () => {
  it('is what the schemas of castellan.yaml say (UPDATE_DOCS=1 writes it)', () => {
    const file = join(root, 'constructs/generated/declarations.ts');
    if (process.env['UPDATE_DOCS']) writeFileSync(file, constructProps());
    expect(readFileSync(file, 'utf8')).toBe(constructProps());
  });
});
