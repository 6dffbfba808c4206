import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { defineRule } from '../../engine/rule.js';

/** Properties that exclude each other: by our names, and by the API's. */
const conflictingPairs = () =>
  Object.entries(eventhouse.properties).flatMap(([name, schema]) => {
    const { conflictsWith, api = name } = metadataOf(schema);
    if (conflictsWith === undefined) return [];
    const [object = name] = api.split('.');
    return [...new Set([name, object])].map((property) => ({ property, other: conflictsWith }));
  });

export const eventhouseDefinitionConflict = defineRule({
  id: 'eventhouse-definition-conflict',
  title: 'An eventhouse has minimum consumption units or a definition, not both.',
  why: 'The service refuses a request with both.',
  severity: 'error',
  source:
    'Items rules, "Create eventhouse" (creationPayload, definition); the official provider\'s conflict',
  sections: ['eventhouses'],
  get reads() {
    return [...new Set(['definition', ...conflictingPairs().map(({ property }) => property)])];
  },
  messages: { both: "{property} and {other} can't be given together: keep one" },
  check({ value }, context) {
    const isSet = (name: string): boolean => value[name as keyof typeof value] !== undefined;
    const both = conflictingPairs().find(({ property, other }) => isSet(property) && isSet(other));
    if (both !== undefined)
      context.report({ messageId: 'both', path: [both.other], at: 'key', parameters: both });
  },
});
