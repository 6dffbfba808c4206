import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

const owned = 'description: D, owners: [ada, grace]';
const people = 'principals: { ada: { user: a@c.example }, grace: { user: g@c.example } }';

const withRule = (rule: string): string =>
  securityGroup(`${owned}, dynamicMembership: { rule: '${rule}' }`, people);

testRule('group-rule-clause-without-effect', {
  finds: [
    [
      'user.department -startsWith "a" -or user.department -eq "ab"',
      withRule('user.department -startsWith "a" -or user.department -eq "ab"'),
    ],
    [
      'user.department -eq "a" -and user.department -ne "b"',
      withRule('user.department -eq "a" -and user.department -ne "b"'),
    ],
  ],
  passes: [
    [
      'user.department -eq "a" -or user.department -eq "b"',
      withRule('user.department -eq "a" -or user.department -eq "b"'),
    ],
    [
      'user.employeeHireDate -le system.now -or user.employeeHireDate -le "2020-01-01"',
      withRule('user.employeeHireDate -le system.now -or user.employeeHireDate -le "2020-01-01"'),
    ],
  ],
});
