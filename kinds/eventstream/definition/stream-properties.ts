import { eventThroughputLevel, retentionTimeInDays } from '../stream-settings.js';
import { checkShape } from './check-shape.js';
import type { DefinitionMistake, ShapeOptions } from './check-shape.js';
import { any, object, oneOf } from './shape.js';
import type { Shape } from './shape.js';

const shape: Shape = object(
  {},
  {
    retentionTimeInDays: { kind: 'number', integer: true, minimum: retentionTimeInDays.minimum, maximum: retentionTimeInDays.maximum },
    eventThroughputLevel: oneOf(...eventThroughputLevel.enum),
    schemaMode: any,
  },
);

/** Checks `eventstreamProperties.json`: retention of 1 to 90 days, throughput Low, Medium or High. */
export function validateEventstreamProperties(document: unknown, options: ShapeOptions = {}): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  checkShape(document, shape, [], (path, message) => void mistakes.push({ path, message }), options);
  return mistakes;
}
