import { computed, optionalComputed, timeoutsAttribute } from '../../build.js';
import { uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source fabric_capacity. */
export const capacityData: ResourceSchema = {
  version: 0,
  attributes: {
    display_name: optionalComputed('string'),
    id: optionalComputed('string', { checks: [uuid], exactlyOneOf: ['id', 'display_name'] }),
    region: computed('string'),
    sku: computed('string'),
    state: computed('string'),
    ...timeoutsAttribute('read'),
  },
};
