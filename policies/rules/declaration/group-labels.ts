import { defineRule } from '../../engine/rule.js';
import { isUnified } from '../../engine/stack-index.js';

export const groupLabels = defineRule({
  id: 'group-labels',
  title: 'The sensitivity label of a security group is chosen once.',
  why: 'It can never be changed, and labels can be set by a signed-in administrator only.',
  severity: 'info',
  source: 'Directory rules, "Group properties" (assignedLabels)',
  sections: ['groups'],
  whenDeclared: 'assignedLabels',
  reads: ['assignedLabels'],
  messages: {
    immutable: 'the label of a security group can never be changed once it is set',
    delegated:
      'labels need a premium licence and a signed-in administrator; an application may not set them',
  },
  check({ value }, context) {
    if (value.assignedLabels === undefined || value.assignedLabels.length === 0) return;
    context.report({
      messageId: isUnified(value) ? 'delegated' : 'immutable',
      path: ['assignedLabels'],
    });
  },
});
