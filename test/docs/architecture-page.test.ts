import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';

const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const paths = [...new Set([...page.matchAll(/`((?:[\w-]+\/)+[\w.-]*)`/g)].map(([, path = '']) => path))];
const topFolders = [
  'access',
  'cli',
  'clients',
  'constructs',
  'core',
  'docs',
  'kinds',
  'policies',
  'provider',
  'sandbox',
  'scripts',
  'services',
  'stacks',
  'test',
];

describe('ARCHITECTURE.md', () => {
  const whole = paths.filter((path) => topFolders.includes(path.split('/')[0] ?? ''));

  it('names files and folders', () => expect(whole.length).toBeGreaterThan(30));

  it.each(whole)('names %s, which is there', (path) => {
    expect(existsSync(join(root, path))).toBe(true);
  });
});
