import { defineRule, removal } from '../../engine/rule.js';
import { normalizeId } from '../../../core/values/guid.js';

export const groupOwnersLimit = defineRule({
  id: 'group-owners-limit',
  title: 'A group has at most 100 owners, and its list of owners is not empty.',
  why: 'The directory refuses the 101st owner. An empty list makes the caller owner, and the official provider plans a change on every run.',
  severity: 'error',
  source:
    'Directory rules, "Group relationships" (owners) and "Limits" 3; the official provider\'s endless difference',
  sections: ['groups'],
  reportsSchemaMistakesOf: ['owners'],
  reads: ['owners'],
  messages: {
    maxItems: 'there are {length} owners; at most {limit} are allowed',
    empty:
      'the list of owners is empty: the caller becomes owner, and every later plan shows a change; list owners, or remove the key',
    twice: '"{given}" is an owner twice: remove one of the two',
  },
  check({ value }, context) {
    const { owners } = value;
    if (!Array.isArray(owners)) return;
    if (owners.length === 0) context.report({ messageId: 'empty', path: ['owners'], fix: removal });
    const seenOwners = new Set<unknown>();
    owners.forEach((owner: unknown, index) => {
      const key = typeof owner === 'string' ? normalizeId(owner) : owner;
      if (seenOwners.has(key)) context.report({ messageId: 'twice', path: ['owners', index] });
      seenOwners.add(key);
    });
  },
});
