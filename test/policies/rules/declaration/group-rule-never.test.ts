import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

const owned = 'description: D, owners: [ada, grace]';
const people = 'principals: { ada: { user: a@c.example }, grace: { user: g@c.example } }';

const withRule = (rule: string): string =>
  securityGroup(`${owned}, dynamicMembership: { rule: '${rule}' }`, people);

testRule('group-rule-never', {
  finds: [
    [
      'user.department -eq "a" -and user.department -eq "b"',
      withRule('user.department -eq "a" -and user.department -eq "b"'),
    ],
    [
      'user.accountEnabled -eq true -and user.accountEnabled -eq false',
      withRule('user.accountEnabled -eq true -and user.accountEnabled -eq false'),
    ],
  ],
  passes: [
    [
      'user.department -eq "a" -or user.department -eq "b"',
      withRule('user.department -eq "a" -or user.department -eq "b"'),
    ],
    ['user.department -match "\\\\bab\\\\b"', withRule('user.department -match "\\\\bab\\\\b"')],
  ],
});
