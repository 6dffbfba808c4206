import { testRule } from '../support/test-rule.js';
import { people, securityGroup } from '../support/stacks.js';

testRule('group-members-elsewhere', {
  finds: [
    [
      'members managed elsewhere beside a rule',
      securityGroup(
        'dynamicMembership: { rule: "user.department -eq \\"b\\"" }, membersManagedElsewhere: true',
      ),
    ],
    [
      'members by name that are managed elsewhere',
      securityGroup('members: [ada], membersManagedElsewhere: true', people),
    ],
    [
      'owners by name that are managed elsewhere',
      securityGroup('owners: [ada], ownersManagedElsewhere: true', people),
    ],
  ],
});
