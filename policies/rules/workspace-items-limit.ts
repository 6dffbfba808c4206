import { Type } from '@sinclair/typebox';
import { itemLimits } from '../limits/item.js';
import { defineRule } from '../engine/rule.js';

/** A workspace holds at most 1,000 items. */
export const workspaceItemsLimit = defineRule({
  id: 'workspace-items-limit',
  title: 'A workspace holds at most 1,000 items, the database of each eventhouse counted.',
  why: 'The service refuses the next one (WorkspaceItemsLimitExceeded).',
  severity: 'error',
  source: 'spec 002, "Errors" 2 (WorkspaceItemsLimitExceeded)',
  sections: ['workspaces'],
  scope: 'stack',
  options: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, description: 'How many items are allowed. Default: 1000.' })) }),
  messages: { many: 'the workspace holds {count} items; at most {limit} are allowed' },
  check({ name }, context) {
    const { index, options } = context;
    const limit = typeof options['limit'] === 'number' ? options['limit'] : itemLimits.itemsPerWorkspace;
    if (index.size <= limit / 2) return;
    const houses = index.all('eventhouses').filter(({ value }) => value.workspace === name).length;
    const streams = index.all('eventstreams').filter(({ value }) => value.workspace === name).length;
    const count = 2 * houses + streams;
    if (count > itemLimits.itemsPerWorkspace) context.report({ messageId: 'many', at: 'key', parameters: { count, limit } });
  },
});
