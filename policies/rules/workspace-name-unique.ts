import { defineRule } from '../engine/rule.js';
import type { StackIndex } from '../engine/stack-index.js';

const seenIn = new WeakMap<StackIndex, Map<string, string>>();

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
    const seen = seenIn.get(context.index) ?? new Map<string, string>();
    seenIn.set(context.index, seen);
    const key = String(value.displayName).toLowerCase();
    const other = seen.get(key);
    if (other === undefined || other === name) seen.set(key, name);
    else context.report({ messageId: 'taken', path: ['displayName'], parameters: { given: value.displayName, other } });
  },
});
