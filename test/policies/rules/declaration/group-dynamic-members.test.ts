import { judge } from '../support/judge.js';
import { securityGroup } from '../support/stacks.js';

judge('group-dynamic-members', {
  finds: [
    [
      'members by name beside a rule',
      securityGroup('dynamicMembership: { rule: "user.department -eq \\"b\\"" }, members: []'),
    ],
  ],
});
