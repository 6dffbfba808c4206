import { eventThroughputLevel, retentionTimeInDays } from '../eventstream.js';
import { checkSchema, type DefinitionMistake, type CheckSchemaOptions } from './check-schema.js';
import type { DocumentSchema } from './document-schema.js';

const schema: DocumentSchema = {
  type: 'object',
  properties: {
    retentionTimeInDays: retentionTimeInDays as DocumentSchema,
    eventThroughputLevel: eventThroughputLevel as DocumentSchema,
    schemaMode: {},
  },
};

/**
 * Checks `eventstreamProperties.json`: retention of 1 to 90 days, throughput Low, Medium or High.
 */
export function validateEventstreamProperties(
  document: unknown,
  options: CheckSchemaOptions = {},
): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  checkSchema(document, schema, (path, message) => void mistakes.push({ path, message }), options);
  return mistakes;
}
