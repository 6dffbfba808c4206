import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

testRule('group-dynamic-members', {
  finds: [
    [
      'members by name beside a rule',
      securityGroup('dynamicMembership: { rule: "user.department -eq \\"b\\"" }, members: []'),
    ],
  ],
});
