import { Integer, Object as ObjectSchema, Optional } from '@sinclair/typebox';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { defineRule } from '../../engine/rule.js';
import type { StackIndex } from '../../engine/stack-index.js';

export const workspaceItemsLimit = defineRule({
  id: 'workspace-items-limit',
  title: 'A workspace holds at most 1,000 items, the database of each eventhouse counted.',
  why: 'The service refuses the next one (WorkspaceItemsLimitExceeded).',
  severity: 'error',
  source: 'Items rules, "Errors" 2 (WorkspaceItemsLimitExceeded)',
  sections: ['workspaces'],
  scope: 'stack',
  options: ObjectSchema({
    limit: Optional(
      Integer({ minimum: 1, description: 'How many items are allowed. Default: 1000.' }),
    ),
  }),
  messages: { many: 'the workspace holds {count} items; at most {limit} are allowed' },
  check({ name }, context) {
    const { index, options } = context;
    const limit = typeof options['limit'] === 'number' ? options['limit'] : workspace.limits.items;
    // a declaration is at most two items
    if (index.size <= limit / 2) return;
    const count = itemCountsOf(index).get(name) ?? 0;
    if (count > limit)
      context.report({ messageId: 'many', at: 'key', parameters: { count, limit } });
  },
});

const itemCounts = new WeakMap<StackIndex, ReadonlyMap<string, number>>();

/** The number of items in each workspace, counted once. */
function itemCountsOf(index: StackIndex): ReadonlyMap<string, number> {
  const cached = itemCounts.get(index);
  if (cached !== undefined) return cached;
  const counts = new Map<string, number>();
  for (const { section, value } of [...index.all('eventhouses'), ...index.all('eventstreams')])
    counts.set(
      value.workspace,
      (counts.get(value.workspace) ?? 0) + (section === 'eventhouses' ? 2 : 1),
    );
  itemCounts.set(index, counts);
  return counts;
}
