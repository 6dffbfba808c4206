import { defineRule } from '../../engine/rule.js';

export const groupUniqueName = defineRule({
  id: 'group-unique-name',
  title: 'Only a group that exists with it already, such as an adopted one, has a uniqueName.',
  why: 'The directory accepts it only in the request that creates a group. The official provider creates groups without it, so the apply of a new group fails half-way.',
  severity: 'warning',
  source:
    'Directory rules, "Group properties" (uniqueName); the official provider (azuread) has no argument for it',
  sections: ['groups'],
  reads: ['uniqueName'],
  messages: {
    created:
      'an apply can\'t give a new group the uniqueName "{given}"; leave it out, or create the group with it elsewhere and take it over by castellan adopt',
  },
  check({ value: { uniqueName } }, context) {
    if (uniqueName === undefined || uniqueName === null) return;
    context.report({ messageId: 'created', path: ['uniqueName'], at: 'key' });
  },
});
