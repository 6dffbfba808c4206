import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as declared from '../../../policies/rules/declared.js';

/** Rules whose findings come from elsewhere, and are tested there. */
const elsewhere: Readonly<Record<string, string>> = {
  'access-test': 'test/access',
  'baseline-stale': 'test/policies/configuration',
  'pack-failed': 'test/policies/packs',
  'policy-rule': 'test/policies/packs',
  'suppression-expired': 'test/policies/configuration',
  'suppression-incomplete': 'test/policies/configuration',
  'suppression-unused': 'test/policies/configuration',
};
const ids = Object.values(declared).map(({ id }) => id);

it.each(ids.filter((id) => !(id in elsewhere)))('the rule %s has a test file of its own', (id) => {
  expect(existsSync(join(__dirname, `${id}.test.ts`))).toBe(true);
});

it('names no rule that has a test file, and no removed rule', () => {
  for (const id of Object.keys(elsewhere)) {
    expect(ids).toContain(id);
    expect(existsSync(join(__dirname, `${id}.test.ts`))).toBe(false);
  }
});
