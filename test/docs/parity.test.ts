import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/cli.js';
import { claimsIn, readClaims } from './parity/claims.js';
import { parityPage } from './parity/page.js';

const file = join(root, 'docs/reference/parity.md');

test('docs/reference/parity.md is what the tests claim (UPDATE_DOCS=1 writes it)', () => {
  const page = parityPage(readClaims());
  if (process.env['UPDATE_DOCS']) writeFileSync(file, page);
  expect(readFileSync(file, 'utf8')).toBe(page);
});

const comment = (...lines: string[]): string =>
  `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
const validClaim = comment(
  '@claim a-b: It is so.',
  '@source https://example.com/page',
  '@seen azuread',
);

test('a claim has the name of the test beside it, of each form', () => {
  const text = `${validClaim}it('does', () => {});\n${validClaim.replace('a-b', 'c')}test.each([1])('does %s', () => {});`;
  expect(claimsIn('x.test.ts', text)).toMatchObject([
    {
      id: 'a-b',
      says: 'It is so.',
      source: 'https://example.com/page',
      seen: [{ name: 'terraform-provider-azuread' }],
      test: 'does',
    },
    { id: 'c', test: 'does %s' },
  ]);
});

test.each([
  ['beside no test', `${validClaim}const a = 1;`, 'stand beside a test that runs'],
  [
    'beside a skipped test',
    `${validClaim}it.skip('does', () => {});`,
    'stand beside a test that runs',
  ],
  [
    'of an unknown client',
    validClaim.replace('azuread', 'curl') + "it('x', () => {});",
    'curl is no',
  ],
  [
    'without a source',
    comment('@claim a: It is so.') + "it('x', () => {});",
    'has no @source, and is no @guess',
  ],
  [
    'that is seen and a guess',
    comment('@claim a: It is so.', '@seen azuread', '@guess why') + "it('x', () => {});",
    'what was seen is no guess',
  ],
  ['that is no sentence', comment('@claim a b', '@guess x') + "it('x', () => {});", 'is not "id'],
  ['with a misspelt tag', comment('@claim a: B.', '@sourc x') + "it('x', () => {});", '@sourc is'],
])('a claim %s is refused', (_mistake, text, message) => {
  expect(() => claimsIn('x.test.ts', text)).toThrow(message);
});
