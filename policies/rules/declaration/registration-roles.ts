import { defineRule } from '../../engine/rule.js';

export const registrationRoles = defineRule({
  id: 'registration-roles',
  title: 'The roles and scopes of a registration have unique ids and values.',
  why: 'The directory refuses a second one with the same id or value, and the official provider fails the plan.',
  severity: 'error',
  source: 'the official provider refuses them in the plan',
  sections: ['registrations'],
  reads: ['appRoles', 'scopes'],
  messages: {
    id: 'another role or scope has the id {given}: give this one another',
    value: 'another one of the {list} has the value "{given}": give this one another',
  },
  check({ value }, context) {
    const ids = new Set<string>();
    for (const list of ['appRoles', 'scopes'] as const) {
      const values = new Set<string>();
      value[list]?.forEach((each, index) => {
        // another rule reports a role without an id or a value
        const id = typeof each.id === 'string' ? each.id.toLowerCase() : undefined;
        if (id !== undefined && ids.has(id))
          context.report({ messageId: 'id', path: [list, index, 'id'] });
        if (id !== undefined) ids.add(id);
        if (each.value === undefined) return;
        if (values.has(each.value))
          context.report({
            messageId: 'value',
            path: [list, index, 'value'],
            parameters: { list },
          });
        values.add(each.value);
      });
    }
  },
});
