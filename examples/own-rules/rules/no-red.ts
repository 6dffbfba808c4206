import { defineRule } from 'castellan/policies';

export const noRed = defineRule({
  id: 'no-red',
  title: 'No group is red.',
  why: 'Red is for alarms.',
  severity: 'warning',
  source: 'our style guide',
  sections: ['groups'],
  reads: ['theme'],
  options: {
    type: 'object',
    properties: { instead: { type: 'string', enum: ['Orange', 'Teal'] } },
  },
  messages: { red: 'the theme of "{name}" is {given}; use {instead}' },
  check(group, context) {
    if (group.value.theme !== 'Red') return;
    const instead = String(context.options['instead'] ?? 'Orange');
    context.report({
      messageId: 'red',
      path: ['theme'],
      parameters: { name: group.name, instead },
      fix: { value: instead },
    });
  },
});
