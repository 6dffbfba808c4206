import { computed, optional, required, timeoutsAttribute } from '../build.js';
import { bytesAtMost, uuid } from '../checks.js';
import { sameIgnoringCase } from '../spelling.js';
import type { ResourceSchema } from '../schema.js';

/** The resource fabric_folder. */
export const folder: ResourceSchema = {
  version: 0,
  attributes: {
    display_name: required('string', { checks: [bytesAtMost(255)] }),
    id: computed('string'),
    parent_folder_id: optional('string', { checks: [uuid], same: sameIgnoringCase }),
    ...timeoutsAttribute(),
    workspace_id: required('string', { forceNew: true, checks: [uuid] }),
  },
};
