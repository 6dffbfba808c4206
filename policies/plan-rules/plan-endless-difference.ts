import type { PlanRule } from '../engine/plan-rule.js';

/** A plan comes to rest. */
export const planEndlessDifference: PlanRule = {
  id: 'plan-endless-difference',
  title: 'A group has no empty list of owners, and hidden membership is never taken back.',
  why: 'The official provider plans the first for ever, and sends the second although the directory refuses it.',
  severity: 'error',
  source: 'spec 001, "Group properties" (visibility); the official provider\'s traps',
  types: ['azuread_group', 'azuread_group_without_members'],
  messages: {
    owners: 'owners of {given} is an empty list: the caller becomes owner, and every later plan shows a change',
    hidden: 'the visibility of {given} goes from Hiddenmembership to {after}: the directory refuses that for ever',
  },
  check({ address, before, after }, report) {
    const [old, next] = [before, after] as ({ owners?: unknown; visibility?: unknown } | null)[];
    if (next === null || next === undefined) return;
    if (Array.isArray(next.owners) && next.owners.length === 0)
      report({ messageId: 'owners', attribute: ['owners'], parameters: { given: address } });
    if (old?.visibility === 'Hiddenmembership' && next.visibility !== 'Hiddenmembership')
      report({ messageId: 'hidden', attribute: ['visibility'], parameters: { given: address, after: next.visibility ?? 'unknown' } });
  },
};
