import { testRule } from '../support/test-rule.js';
import { people, securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-role-assignable', {
  finds: [
    [
      'a public group that roles can be assigned to',
      securityGroup('isAssignableToRole: true, visibility: Public'),
    ],
    [
      'members by a rule in a group that roles can be assigned to',
      securityGroup('isAssignableToRole: true, dynamicMembership: { rule: "user.a -eq \\"b\\"" }'),
    ],
    [
      'a role-assignable unified group that controls no access',
      unifiedGroup('isAssignableToRole: true'),
    ],
    [
      'a group in a role-assignable group',
      securityGroup('isAssignableToRole: true, members: [eg]', people),
    ],
  ],
  passes: [
    [
      'people in a role-assignable group',
      securityGroup(
        'isAssignableToRole: true, visibility: Private, owners: [ada, sp], members: [ada, sp]',
        people,
      ),
    ],
    [
      'a role-assignable group with hidden members',
      unifiedGroup('isAssignableToRole: true, securityEnabled: true, visibility: HiddenMembership'),
    ],
  ],
});
