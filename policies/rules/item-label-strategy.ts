import { defineRule } from '../engine/rule.js';

/** A label is applied or the creation fails, or it is ignored. */
export const itemLabelStrategy = defineRule({
  id: 'item-label-strategy',
  title: 'The strategy of a sensitivity label is ApplyOrFail or Ignore.',
  why: 'The service accepts no other.',
  severity: 'error',
  source: 'Items rules, "SensitivityLabelSettings"',
  sections: ['eventhouses', 'eventstreams'],
  claims: [
    { section: 'eventhouses', path: 'sensitivityLabelSettings.sensitivityLabelApplyStrategy' },
    { section: 'eventstreams', path: 'sensitivityLabelSettings.sensitivityLabelApplyStrategy' },
  ],
  messages: { enum: 'the strategy is "{given}"; allowed: {allowed}{hint}' },
});
