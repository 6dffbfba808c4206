import { defineRule } from '../../engine/rule.js';

export const changeThemeRemoved = defineRule({
  id: 'change-theme-removed',
  title: 'The theme of a group is changed, never taken away.',
  why: 'The official provider has no way to clear it: every later plan shows the same change again.',
  severity: 'warning',
  source:
    'Directory rules, "Group properties" (theme); the official provider\'s endless difference',
  sections: ['groups'],
  scope: 'change',
  messages: {
    removed:
      'the theme was {before} and is gone: the group keeps it, and every plan shows the change again; write one of the seven',
  },
  check({ name, value }, context) {
    const before = context.base?.find('groups', name)?.value.theme;
    if (before === undefined || value.theme !== undefined) return;
    context.report({
      messageId: 'removed',
      path: ['theme'],
      parameters: { given: 'unset', before },
      fix: { value: before },
    });
  },
});
