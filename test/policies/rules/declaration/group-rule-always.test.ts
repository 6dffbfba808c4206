import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

const ownerProperties = 'description: D, owners: [ada, grace]';
const people = 'principals: { ada: { user: a@c.example }, grace: { user: g@c.example } }';

const withRule = (rule: string): string =>
  securityGroup(`${ownerProperties}, dynamicMembership: { rule: '${rule}' }`, people);

testRule('group-rule-always', {
  finds: [
    [
      'user.department -ne "a" -or user.department -ne "b"',
      withRule('user.department -ne "a" -or user.department -ne "b"'),
    ],
    [
      'user.accountEnabled -eq true -or user.accountEnabled -eq false',
      withRule('user.accountEnabled -eq true -or user.accountEnabled -eq false'),
    ],
  ],
  passes: [
    ['user.objectId -ne null', withRule('user.objectId -ne null')],
    ['user.department -ne "a"', withRule('user.department -ne "a"')],
  ],
});
