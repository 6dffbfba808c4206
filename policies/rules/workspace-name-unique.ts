import { defineRule } from '../engine/rule.js';

/** Workspaces of a stack have different names. */
export const workspaceNameUnique = defineRule({
  id: 'workspace-name-unique',
  title: 'No two workspaces have the same name.',
  why: 'The service refuses the second one half-way through an apply.',
  severity: 'error',
  source: 'Items rules, "Errors" 2 (ItemDisplayNameAlreadyInUse); the service of the workspaces',
  sections: ['workspaces'],
  scope: 'stack',
  reads: ['displayName'],
  messages: { taken: '"{other}" already has the name "{given}"' },
  check({ name, value }, context) {
    const other = context.index.saidBefore('workspace-name-unique', String(value.displayName), name);
    if (other !== undefined) context.report({ messageId: 'taken', path: ['displayName'], parameters: { given: value.displayName, other } });
  },
});
