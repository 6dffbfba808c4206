import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { computed, optional, optionalComputed, required } from '../build.js';
import { uuid } from '../checks.js';
import { described } from '../described.js';
import type { ResourceSchema } from '../schema.js';

/** When unified groups expire; a tenant has one such policy. */
export const groupLifecyclePolicySchema: ResourceSchema = {
  version: 0,
  description: 'The expiration policy of unified groups. A tenant has at most one.',
  attributes: {
    id: computed('string', { description: 'The policy. Import takes the same.' }),
    group_lifetime_in_days: required('number', {
      checks: [described(groupLifecyclePolicy.properties.groupLifetimeInDays)],
      description: 'Days until a group expires unless it is renewed.',
    }),
    managed_group_types: required('string', {
      checks: [described(groupLifecyclePolicy.properties.managedGroupTypes)],
      description: 'Which groups expire: All, Selected (those of group_object_ids) or None.',
    }),
    alternate_notification_emails: optional(['set', 'string'], { description: 'Who is notified about ownerless groups.' }),
    group_object_ids: optionalComputed(['set', 'string'], {
      checks: [uuid],
      description: 'The groups that expire, for managed_group_types Selected.',
    }),
  },
};
