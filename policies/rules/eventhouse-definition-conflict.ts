import { eventhouse } from '../../kinds/eventhouse/eventhouse.js';
import { factsOf } from '../../kinds/schema/facts.js';
import { defineRule } from '../engine/rule.js';

/** What can't be there beside a definition, in our places and in the API's own. */
const notWithDefinition = Object.entries(eventhouse.properties).flatMap(([name, schema]) => {
  const { notWith, api = name } = factsOf(schema);
  return notWith === 'definition' ? [name, ...api.split('.').slice(0, 1)] : [];
});

/** An eventhouse is created with units or with a definition. */
export const eventhouseDefinitionConflict = defineRule({
  id: 'eventhouse-definition-conflict',
  title: 'An eventhouse has minimum consumption units or a definition, not both.',
  why: 'The service refuses a request with both.',
  severity: 'error',
  source: 'spec 002, "Create eventhouse" (creationPayload, definition); the official provider\'s conflict',
  sections: ['eventhouses'],
  reads: ['definition', ...notWithDefinition],
  messages: { both: "{property} and definition can't be given together" },
  check({ value }, context) {
    if (value.definition === undefined) return;
    const property = notWithDefinition.find((name) => value[name as keyof typeof value] !== undefined);
    if (property !== undefined) context.report({ messageId: 'both', path: ['definition'], at: 'key', parameters: { property } });
  },
});
