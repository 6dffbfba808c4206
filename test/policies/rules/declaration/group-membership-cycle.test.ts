import { testRule } from '../support/test-rule.js';

testRule('group-membership-cycle', {
  finds: [
    [
      'two groups that are members of each other',
      'groups: { a: { kind: security, displayName: A, members: [b] }, b: { kind: security, displayName: B, members: [a] } }',
    ],
  ],
});
