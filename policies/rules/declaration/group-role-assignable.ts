import { isGuid } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';
import { isDynamic, isSecurityEnabled, isUnified } from '../../engine/stack-index.js';

export const groupRoleAssignable = defineRule({
  id: 'group-role-assignable',
  title:
    'A role-assignable group is security-enabled, Private, not dynamic, and has no groups as members.',
  why: 'Anyone who can join such a group gets its roles. The official provider checks only securityEnabled.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (isAssignableToRole, visibility)',
  sections: ['groups'],
  whenDeclared: 'isAssignableToRole',
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
    nested:
      '"{given}" is a group, and the directory takes no groups into a role-assignable group: name its members one by one',
    dynamic: "a role-assignable group can't be dynamic: its members are named one by one",
  },
  check({ value, unknownPaths }, context) {
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
    const unknownMember = unknownPaths.find(([property]) => property === 'members');
    if (unknownMember !== undefined) context.unknown(unknownMember);
    (Array.isArray(value.members) ? value.members : []).forEach((given: string, index: number) => {
      const path = ['members', index];
      const principal = context.index.find('principals', given)?.value;
      const isDeclaredGroup = context.index.find('groups', given) !== undefined;
      if (principal === undefined ? isDeclaredGroup : principal.group !== undefined)
        context.report({ messageId: 'nested', path });
      // an id that nothing declares may be that of a group
      else if (principal === undefined && isGuid(given)) context.unknown(path);
    });
    if (isDynamic(value))
      context.report({
        messageId: 'dynamic',
        path: [value.dynamicMembership === undefined ? 'membershipRule' : 'dynamicMembership'],
      });
  },
});
