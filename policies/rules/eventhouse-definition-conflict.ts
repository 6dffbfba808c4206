import { defineRule } from '../engine/rule.js';

/** An eventhouse is created with units or with a definition. */
export const eventhouseDefinitionConflict = defineRule({
  id: 'eventhouse-definition-conflict',
  title: 'An eventhouse has minimum consumption units or a definition, not both.',
  why: 'The service refuses a request with both.',
  severity: 'error',
  source: 'spec 002, "Create eventhouse" (creationPayload, definition); the official provider\'s conflict',
  sections: ['eventhouses'],
  reads: ['definition', 'minimumConsumptionUnits', 'creationPayload'],
  messages: { both: "{property} and definition can't be given together" },
  check({ value }, context) {
    if (value.definition === undefined) return;
    const property = value.minimumConsumptionUnits !== undefined ? 'minimumConsumptionUnits' : 'creationPayload';
    if (value[property] !== undefined) context.report({ messageId: 'both', path: ['definition'], at: 'key', parameters: { property } });
  },
});
