import type { PlanRule } from '../../engine/plan-rule.js';

export const planSecretOrder: PlanRule = {
  id: 'plan-secret-order',
  title: 'A new client secret exists before the old one is deleted, and its end is an exact date.',
  why: 'In between, no one can sign in. The official provider silently ignores a relative end.',
  severity: 'error',
  source:
    'Sign-in rules, "Configuring the directory identity provider" 4; the official provider\'s traps',
  types: ['azuread_application_password'],
  messages: {
    order: '{given} is deleted before its successor exists: set create_before_destroy',
    clock:
      'the end of {given} is computed at every plan, which replaces the secret each time: write a fixed date',
    relative: 'end_date_relative of {given} is ignored by the provider: use end_date',
  },
  check({ actions, address, after, afterUnknown, replacePaths }, report) {
    if (actions[0] === 'delete' && actions[1] === 'create')
      report({ messageId: 'order', parameters: { given: address } });
    const isEndKnownAfterApply = (afterUnknown as { end_date?: unknown } | null)?.end_date === true;
    if (isEndKnownAfterApply && replacePaths.some(([attribute]) => attribute === 'end_date'))
      report({ messageId: 'clock', attribute: ['end_date'], parameters: { given: address } });
    const relative = (after as { end_date_relative?: unknown } | null)?.end_date_relative;
    if (typeof relative === 'string' && relative !== '')
      report({
        messageId: 'relative',
        attribute: ['end_date_relative'],
        parameters: { given: address },
      });
  },
};
