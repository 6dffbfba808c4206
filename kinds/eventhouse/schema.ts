import { Number as NumberSchema, Optional } from '@sinclair/typebox';
import { definitionPartSchema, itemProperties } from '../item/schema.js';
import type { Declared } from '../schema/shapes.js';
import { closed, list, text } from '../schema/shapes.js';

/** The minimum consumption of an eventhouse (spec 002, "EventhouseCreationPayload"). */
export const consumptionUnitsSchema = NumberSchema({
  description: 'The minimum consumption units: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or any number from 51 to 322.',
  default: 0,
});

/** The public definition of an eventhouse. */
export const eventhouseDefinitionSchema = closed(
  {
    format: Optional(text('The format of the definition.', { minLength: 1 })),
    parts: list(definitionPartSchema, { description: 'The parts of the definition.', minItems: 1 }),
  },
  { description: 'The public definition of the eventhouse.' },
);

/** An eventhouse (spec 002, "Create eventhouse"). */
export const eventhouseSchema = closed(
  {
    ...itemProperties,
    minimumConsumptionUnits: Optional(consumptionUnitsSchema),
    creationPayload: Optional(
      closed(
        { minimumConsumptionUnits: Optional(consumptionUnitsSchema) },
        { description: "The API's own place of `minimumConsumptionUnits`." },
      ),
    ),
    definition: Optional(eventhouseDefinitionSchema),
  },
  { description: 'An eventhouse.' },
);

/** An eventhouse. */
export type EventhouseProps = Declared<typeof eventhouseSchema>;
