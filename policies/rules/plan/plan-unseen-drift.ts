import type { PlanRule } from '../../engine/plan-rule.js';

export const planUnseenDrift: PlanRule = {
  id: 'plan-unseen-drift',
  title: 'The units of an eventhouse are those that were declared.',
  why: 'The official provider reads but never compares them: a change made elsewhere never appears in a plan.',
  severity: 'warning',
  source: 'the official provider (fabric) never refreshes the configuration',
  types: ['fabric_eventhouse'],
  messages: {
    units:
      '{given} has {actual} minimum consumption units, declared are {declared}; no plan will ever show it',
  },
  check({ actions, address, before, after }, report) {
    // a replaced eventhouse gets the declared units
    if (actions.includes('delete')) return;
    const old = before as { properties?: { minimum_consumption_units?: unknown } } | null;
    const next = after as { configuration?: { minimum_consumption_units?: unknown } } | null;
    const [actual, declared] = [
      old?.properties?.minimum_consumption_units,
      next?.configuration?.minimum_consumption_units,
    ];
    if (typeof actual !== 'number' || typeof declared !== 'number' || actual === declared) return;
    report({
      messageId: 'units',
      attribute: ['configuration', 'minimum_consumption_units'],
      parameters: { given: address, actual, declared },
    });
  },
};
