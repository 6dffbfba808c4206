import { defineRule } from '../../engine/rule.js';

export const workspaceCapacity = defineRule({
  id: 'workspace-capacity',
  title: 'The workspace of an eventhouse runs on a capacity.',
  why: 'Without one the service refuses the eventhouse. The workspace may have one that this stack does not declare, so this is only a remark.',
  severity: 'info',
  source: 'Items rules, "Create eventhouse" (requirements)',
  sections: ['eventhouses'],
  scope: 'stack',
  reads: ['workspace'],
  messages: {
    none: 'the workspace "{workspace}" declares no capacityId; an eventhouse needs a capacity',
  },
  check({ value }, context) {
    const workspace = context.index.find('workspaces', value.workspace);
    if (workspace === undefined || workspace.value.capacityId !== undefined) return;
    context.report({
      messageId: 'none',
      path: ['workspace'],
      parameters: { workspace: workspace.name },
    });
  },
});
