import { testRule } from '../support/test-rule.js';
import { people, securityGroup } from '../support/stacks.js';

testRule('group-owner-kind', {
  finds: [
    [
      "a group as an owner, whose kind isn't known",
      securityGroup(
        'owners: [ada, eg]',
        'principals: { ada: { user: a@c.example }, eg: { group: E } }',
      ),
    ],
    ['a group as an owner', securityGroup('owners: [eg]', people)],
    ['a device as an owner', securityGroup('owners: [dev]', people)],
  ],
});
