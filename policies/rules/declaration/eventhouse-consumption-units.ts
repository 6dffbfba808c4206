import { defineRule } from '../../engine/rule.js';

export const eventhouseConsumptionUnits = defineRule({
  id: 'eventhouse-consumption-units',
  title:
    'Minimum consumption units are 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or a number from 51 to 322.',
  why: 'The service refuses any other number, and changing it later replaces the eventhouse with its data.',
  severity: 'error',
  source: 'Items rules, "EventhouseCreationPayload" and "Limits" 3',
  sections: ['eventhouses'],
  reportsSchemaMistakesOf: [
    { path: 'minimumConsumptionUnits', messageIds: { allowedNumbers: 'units' } },
    { path: 'creationPayload.minimumConsumptionUnits', messageIds: { allowedNumbers: 'units' } },
  ],
  reads: ['minimumConsumptionUnits', 'creationPayload'],
  messages: {
    units: '{given} is not an allowed minimum; allowed: {words}; the nearest is {nearest}',
    twice: 'minimumConsumptionUnits and creationPayload say the same thing; keep one',
  },
  check({ value: { minimumConsumptionUnits, creationPayload } }, context) {
    if (
      minimumConsumptionUnits !== undefined &&
      creationPayload?.minimumConsumptionUnits !== undefined
    )
      context.report({ messageId: 'twice', path: ['creationPayload'], at: 'key' });
  },
});
