import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

describe('docs/contributing/directory-service.md', () => {
  const page = readFileSync(join(root, 'docs/contributing/directory-service.md'), 'utf8');
  const named = [
    ...new Set([...page.matchAll(/`([\w/-]+\.(?:test|e2e)\.ts)`/g)].map(([, file = '']) => file)),
  ];

  it.each(named)('names the test file %s, which is there', (file) => {
    expect(existsSync(join(root, 'test/services/directory', file))).toBe(true);
  });

  it('names tests', () => expect(named.length).toBeGreaterThan(20));
});
