import { defineRule, removal } from '../../engine/rule.js';
import { isDynamic } from '../../engine/stack-index.js';

export const groupDynamicMembers = defineRule({
  id: 'group-dynamic-members',
  title: 'A dynamic group names no members.',
  why: 'The rule alone decides its members: the directory refuses members, and the official provider refuses even an empty list beside a rule.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 8; the official provider\'s conflict',
  sections: ['groups'],
  whenDeclared: 'members',
  reads: ['dynamicMembership', 'membershipRule', 'groupTypes'],
  messages: {
    members: 'the group is dynamic: its members follow from the rule; remove members, or the rule',
  },
  check({ value, unknownPaths }, context) {
    if (!isDynamic(value)) return;
    const unknownPath = unknownPaths.find(([property]) => property === 'members');
    if (unknownPath !== undefined) return context.unknown(unknownPath);
    if (value.members === undefined) return;
    context.report({ messageId: 'members', path: ['members'], at: 'key', fix: removal });
  },
});
