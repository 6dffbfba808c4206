import { isAllowedConsumptionUnits, itemLimits } from '../../kinds/item/limits.js';
import { defineRule } from '../engine/rule.js';

const { discrete, range } = itemLimits.consumptionUnits;

/** The minimum consumption is one of the levels, or a number from 51 to 322. */
export const eventhouseConsumptionUnits = defineRule({
  id: 'eventhouse-consumption-units',
  title: 'Minimum consumption units are 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or a number from 51 to 322.',
  why: 'The service refuses any other number, and changing it later replaces the eventhouse with its data.',
  severity: 'error',
  source: 'spec 002, "EventhouseCreationPayload" and "Limits" 3',
  sections: ['eventhouses'],
  reads: ['minimumConsumptionUnits', 'creationPayload'],
  messages: {
    units: '{given} is not an allowed minimum; allowed: {allowed}, or any number from {minimum} to {maximum}; the nearest is {nearest}',
    twice: 'minimumConsumptionUnits and creationPayload say the same thing; keep one',
  },
  check({ value }, context) {
    const { minimumConsumptionUnits: direct, creationPayload } = value;
    if (direct !== undefined && creationPayload?.minimumConsumptionUnits !== undefined)
      context.report({ messageId: 'twice', path: ['creationPayload'], at: 'key' });
    judge(direct, ['minimumConsumptionUnits']);
    judge(creationPayload?.minimumConsumptionUnits, ['creationPayload', 'minimumConsumptionUnits']);

    function judge(given: unknown, path: readonly string[]): void {
      if (typeof given !== 'number' || isAllowedConsumptionUnits(given)) return;
      const closest = nearestUnits(given);
      const parameters = { given, allowed: discrete, ...range, nearest: closest };
      context.report({ messageId: 'units', path, parameters, fix: { description: `write ${String(closest)}`, value: closest } });
    }
  },
});

function nearestUnits(given: number): number {
  const candidates = [...discrete, range.minimum, range.maximum];
  return candidates.reduce((best, each) => (Math.abs(each - given) < Math.abs(best - given) ? each : best));
}
