import { defineRule } from '../engine/rule.js';

/** Names are unique in a workspace, per type of item. */
export const itemNameUnique = defineRule({
  id: 'item-name-unique',
  title: 'No two items of one type in a workspace have the same name.',
  why: 'The service refuses the second one (ItemDisplayNameAlreadyInUse) half-way through an apply.',
  severity: 'error',
  source: 'Items rules, "Errors" 2 (ItemDisplayNameAlreadyInUse)',
  sections: ['eventhouses', 'eventstreams'],
  scope: 'stack',
  reads: ['displayName', 'workspace'],
  messages: { taken: '"{other}" in the same workspace already has the name "{given}"' },
  check({ section, name, value }, context) {
    const other = context.index.saidBefore('item-name-unique', `${section}/${value.workspace}/${value.displayName}`, name);
    if (other !== undefined) context.report({ messageId: 'taken', path: ['displayName'], parameters: { given: value.displayName, other } });
  },
});
