import { proveNoAccess } from '../../../sandbox/explanation/access-proof.js';

test.each([
  [
    'user.nonsense -eq',
    "the rule can't be read: user.nonsense is not a property of rules (at character 1)",
  ],
  ['device.displayName -eq "a"', 'the rule is about devices, and people sign in'],
])('a rule that selects no people is refused: %s', async (rule, refusal) => {
  const app = { name: 'shop' } as unknown as Parameters<typeof proveNoAccess>[0];
  const readDirectory = () => Promise.reject(new Error('the directory is not asked'));
  expect(await proveNoAccess(app, rule, { readDirectory, tenantId: '', now: 0 })).toBe(refusal);
});
