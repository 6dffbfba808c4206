import { defineRule } from '../../engine/rule.js';
import { isDynamic, isSecurityEnabled, isUnified } from '../../engine/stack-index.js';

export const groupRoleAssignable = defineRule({
  id: 'group-role-assignable',
  title: 'A role-assignable group is security-enabled, Private and not dynamic.',
  why: 'Anyone who can join such a group gets its roles. The official provider checks only securityEnabled.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (isAssignableToRole, visibility)',
  sections: ['groups'],
  needs: 'isAssignableToRole',
  reads: [
    'isAssignableToRole',
    'securityEnabled',
    'visibility',
    'dynamicMembership',
    'membershipRule',
    'groupTypes',
  ],
  messages: {
    security: 'a role-assignable group must be security-enabled: write securityEnabled: true',
    visibility: 'a role-assignable group is always Private; visibility is {given}',
    default:
      'a role-assignable group is always Private; a unified group that says nothing else is Public',
    dynamic: "a role-assignable group can't be dynamic: its members are named one by one",
  },
  check({ value }, context) {
    if (value.isAssignableToRole !== true) return;
    if (!isSecurityEnabled(value))
      context.report({ messageId: 'security', path: ['securityEnabled'], fix: { value: true } });
    if (value.visibility === 'Public')
      context.report({ messageId: 'visibility', path: ['visibility'], fix: { value: 'Private' } });
    if (value.visibility === undefined && isUnified(value))
      context.report({
        messageId: 'default',
        path: ['visibility'],
        parameters: { given: 'Public' },
        fix: { value: 'Private' },
      });
    if (isDynamic(value))
      context.report({
        messageId: 'dynamic',
        path: [value.dynamicMembership === undefined ? 'membershipRule' : 'dynamicMembership'],
      });
  },
});
