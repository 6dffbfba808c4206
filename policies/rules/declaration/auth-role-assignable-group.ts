import { admittingGroupProperties, admittingGroups } from '../../engine/admitting-groups.js';
import { defineRule } from '../../engine/rule.js';

export const authRoleAssignableGroup = defineRule({
  id: 'auth-role-assignable-group',
  title: 'A role-assignable group is not used to let people into an app.',
  why: 'Everyone who uses the app would also get the roles of the group.',
  severity: 'error',
  source:
    'Directory rules, "Group properties" (isAssignableToRole); Sign-in rules, "Configuring the directory identity provider" 7',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  scope: 'stack',
  reads: admittingGroupProperties,
  messages: {
    roles: 'the group "{given}" can hold directory roles; let people in by another group',
  },
  check({ value }, context) {
    for (const { reference, path } of admittingGroups(value.auth))
      if (context.index.find('groups', reference)?.value.isAssignableToRole === true)
        context.report({ messageId: 'roles', path });
  },
});
