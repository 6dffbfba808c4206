import { computed, optionalComputed, timeoutsBlock } from '../../build.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_application_published_app_ids. */
export const applicationPublishedAppIdsData: ResourceSchema = {
  version: 0,
  attributes: { id: optionalComputed('string'), result: computed(['map', 'string']) },
  blocks: { ...timeoutsBlock('read') },
};
