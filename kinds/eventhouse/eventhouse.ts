import { definitionPartSchema, itemProperties, itemPropertiesSetByService } from '../item/item.js';
import { kind } from '../schema/kind.js';
import {
  closedObject,
  type DeclarationOf,
  boolean,
  list,
  number,
  text,
} from '../schema/schema-builders.js';

/** The minimum consumption of an eventhouse, in every place that declares it. */
const consumptionUnits = {
  allowedNumbers: [0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, [51, 322]],
  default: 0,
  api: 'creationPayload.minimumConsumptionUnits',
} as const;
const consumptionUnitsDescription =
  'The minimum consumption units: 0, 2.25, 4.25, 8.5, 13, 18, 26, 34, 50, or any number from 51 to 322.';

/** An eventhouse (Items rules, "Create eventhouse"). */
export const eventhouse = kind(() => ({
  meaning: 'An eventhouse.',
  terraform: { resourceTypes: ['fabric_eventhouse', 'castellan_eventhouse'] },
  deletionLoses: 'every event that the eventhouse holds',
  required: ['workspace', 'displayName'],
  properties: {
    ...itemProperties,
    minimumConsumptionUnits: number(consumptionUnitsDescription, {
      ...consumptionUnits,
      terraform: {
        fabric_eventhouse: 'configuration.minimum_consumption_units',
        castellan_eventhouse: 'minimum_consumption_units',
      },
      readAs: 'properties.minimumConsumptionUnits',
      conflictsWith: 'definition',
      createOnly: true,
      replacementLoses: 'every event that the eventhouse holds',
    }),
    creationPayload: closedObject(
      { minimumConsumptionUnits: number(consumptionUnitsDescription, consumptionUnits) },
      { description: "The API's own path of `minimumConsumptionUnits`." },
    ),
    definition: closedObject(
      {
        format: text('The format of the definition.', { minLength: 1 }),
        parts: list(definitionPartSchema, {
          description: 'The parts of the definition.',
          minItems: 1,
        }),
      },
      { description: 'The public definition of the eventhouse.', required: ['parts'] },
    ),
    definitionUpdateEnabled: boolean(
      'Whether a changed definition is sent to the service. Without it, only a new eventhouse gets the definition.',
      {
        default: true,
        terraform: 'definition_update_enabled',
        conflictsWith: 'minimumConsumptionUnits',
        notInApi: true,
      },
    ),
  },
  setByService: {
    ...itemPropertiesSetByService,
    properties: "The eventhouse's addresses and databases, set by the service.",
  },
}));

/** An eventhouse. */
export type EventhouseProps = DeclarationOf<typeof eventhouse.schema>;
