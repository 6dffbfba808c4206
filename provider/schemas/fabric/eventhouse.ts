import { eventhouse as kind } from '../../../kinds/eventhouse/eventhouse.js';
import { computed, nested, required } from '../build.js';
import { described } from '../described.js';
import { eventhouseDefinition } from './definition-rules.js';
import { itemAttributes, itemDataAttributes } from './item-attributes.js';
import type { ResourceSchema } from '../schema.js';

const properties = {
  database_ids: computed(['set', 'string']),
  ingestion_service_uri: computed('string'),
  minimum_consumption_units: computed('number'),
  query_service_uri: computed('string'),
};

/** The resource fabric_eventhouse. */
export const eventhouse: ResourceSchema = {
  version: 0,
  attributes: {
    ...itemAttributes,
    configuration: nested(
      'optional',
      'single',
      { minimum_consumption_units: required('number', { forceNew: true, checks: [described(kind.properties.minimumConsumptionUnits)] }) },
      { forceNew: true, conflictsWith: ['definition', 'format', 'definition_update_enabled'] },
    ),
    properties: nested('computed', 'single', properties, { volatile: true }),
  },
  rules: [eventhouseDefinition],
};

/** The data source fabric_eventhouse. */
export const eventhouseData: ResourceSchema = {
  version: 0,
  attributes: { ...itemDataAttributes, properties: nested('computed', 'single', properties) },
};
