import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { computed, optionalComputed } from '../build.js';
import { uuid } from '../checks.js';
import { describedAttributes } from '../described.js';
import type { ResourceSchema } from '../schema.js';

/** When unified groups expire; a tenant has one such policy. */
export const groupLifecyclePolicySchema: ResourceSchema = {
  version: 0,
  description: 'The expiration policy of unified groups. A tenant has at most one.',
  attributes: {
    id: computed('string', { description: 'The policy. Import takes the same.' }),
    ...describedAttributes(groupLifecyclePolicy, 'castellan_group_lifecycle_policy'),
    group_object_ids: optionalComputed(['set', 'string'], {
      checks: [uuid],
      description: 'The groups that expire, for managed_group_types Selected.',
    }),
  },
};
