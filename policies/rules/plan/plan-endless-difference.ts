import type { PlanRule } from '../../engine/plan-rule.js';

export const planEndlessDifference: PlanRule = {
  id: 'plan-endless-difference',
  title:
    'A group has no empty list of owners, its theme is never cleared, and hidden membership is never taken back.',
  why: 'The official provider plans the first two on every run, and sends the third although the directory refuses it.',
  severity: 'error',
  source: 'Directory rules, "Group properties" (visibility); the official provider\'s traps',
  types: ['azuread_group', 'azuread_group_without_members'],
  messages: {
    owners:
      'owners of {given} is an empty list: the caller becomes owner, and every later plan shows a change',
    theme:
      'the theme of {given} is taken away: the group keeps {before}, and every later plan shows the change again',
    hidden:
      'the visibility of {given} goes from Hiddenmembership to {after}: the directory always refuses that',
  },
  check({ address, before, after }, report) {
    const [old, next] = [before, after] as ({
      owners?: unknown;
      visibility?: unknown;
      theme?: unknown;
    } | null)[];
    if (next === null || next === undefined) return;
    if (isEmptyList(next.owners) && !isEmptyList(old?.owners))
      report({ messageId: 'owners', attribute: ['owners'], parameters: { given: address } });
    if (
      typeof old?.theme === 'string' &&
      old.theme !== '' &&
      (next.theme === null || next.theme === '')
    )
      report({
        messageId: 'theme',
        attribute: ['theme'],
        parameters: { given: address, before: old.theme },
      });
    // a plan leaves out what is known only after apply
    if (
      old?.visibility === 'Hiddenmembership' &&
      next.visibility !== undefined &&
      next.visibility !== 'Hiddenmembership'
    )
      report({
        messageId: 'hidden',
        attribute: ['visibility'],
        parameters: { given: address, after: next.visibility ?? 'nothing' },
      });
  },
};

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
