import { judge } from '../support/judge.js';

judge('group-membership-cycle', {
  finds: [
    [
      'two groups that are members of each other',
      'groups: { a: { kind: security, displayName: A, members: [b] }, b: { kind: security, displayName: B, members: [a] } }',
    ],
  ],
});
