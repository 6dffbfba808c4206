import { normalizeId } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';

export const workspaceRoles = defineRule({
  id: 'workspace-roles',
  title:
    'A role in a workspace goes to a user, a service principal or a group, and each has one role.',
  why: 'The service refuses the assignment half-way through an apply.',
  severity: 'error',
  source:
    'Items rules, "Principal" (User, ServicePrincipal, Group) and "Requirements" (workspace role)',
  sections: ['workspaces'],
  scope: 'stack',
  reads: ['roles'],
  messages: {
    kind: '"{given}" is a {what}; a role goes to a user, a service principal or a group',
    twice: '"{given}" already has a role: {role}',
  },
  check({ value }, context) {
    const roles = new Map<string, string>();
    value.roles?.forEach(({ principal: name, role }, index) => {
      if (name === undefined) return; // a mistake of its own
      const path = ['roles', index, 'principal'];
      const id = normalizeId(name);
      const previousRole = roles.get(id);
      if (previousRole !== undefined)
        context.report({ messageId: 'twice', path, parameters: { role: previousRole } });
      roles.set(id, previousRole ?? role);
      const principal = context.index.find('principals', name)?.value;
      const what = (['device', 'contact'] as const).find((kind) => principal?.[kind] !== undefined);
      if (what !== undefined) context.report({ messageId: 'kind', path, parameters: { what } });
    });
  },
});
