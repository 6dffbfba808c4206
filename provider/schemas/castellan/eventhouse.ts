import { computed, nested, optional } from '../build.js';
import { consumptionUnits } from '../fabric/names.js';
import type { ConfigRule, ResourceSchema } from '../schema.js';
import { definitionRule, itemAttributes } from './item-attributes.js';

/** The service takes units or a definition when an eventhouse is created, not both. */
const unitsOrDefinition: ConfigRule = function* (config) {
  if ((config['minimum_consumption_units'] ?? null) === null || (config['definition'] ?? null) === null) return;
  yield {
    severity: 'error',
    summary: 'Conflicting configuration arguments',
    detail: 'An eventhouse is created with minimum_consumption_units or with a definition, not with both.',
    path: ['minimum_consumption_units'],
  };
};

/** An eventhouse with what fabric_eventhouse can't say: sensitivity label, several definition parts, `.platform`, format. */
export const eventhouse: ResourceSchema = {
  version: 0,
  description:
    'An eventhouse with a sensitivity label, any definition parts or a definition format. Replacing or destroying it loses its data.',
  attributes: {
    ...itemAttributes,
    minimum_consumption_units: optional('number', {
      forceNew: true,
      checks: [consumptionUnits],
      description: 'Units that always stand ready. A change needs a new eventhouse.',
    }),
    properties: nested(
      'computed',
      'single',
      {
        ingestion_service_uri: computed('string'),
        query_service_uri: computed('string'),
        database_ids: computed(['set', 'string']),
        minimum_consumption_units: computed('number'),
      },
      { volatile: true },
    ),
  },
  rules: [definitionRule, unitsOrDefinition],
};
