import { defineRule } from '../../engine/rule.js';

export const groupLifecycle = defineRule({
  id: 'group-lifecycle',
  title: 'The expiration setting of a group agrees with the expiration policy of the stack.',
  why: 'A group that is not renewed is deleted although its declaration keeps it, or it never expires.',
  severity: 'warning',
  source:
    'Directory rules, "What the service does" 10 (group expiration) and "States and transitions" (expiry reached)',
  sections: ['groups'],
  whenDeclared: 'expirationPolicy',
  scope: 'stack',
  reads: ['expirationPolicy'],
  messages: {
    off: 'the group is to expire, but managedGroupTypes is None, and no group does: write Selected, or All',
    all: 'the group is not to expire, but managedGroupTypes is All: every unified group does; write Selected',
  },
  check({ value }, context) {
    const renewable = value.expirationPolicy?.renewable;
    if (renewable === undefined) return;
    const managedTypes = context.index.settings.groupLifecyclePolicy?.managedGroupTypes;
    const report = (messageId: string): void =>
      context.report({
        messageId,
        path: ['expirationPolicy', 'renewable'],
        parameters: { given: renewable },
      });
    if (renewable && managedTypes === 'None') report('off');
    if (!renewable && managedTypes === 'All') report('all');
  },
});
