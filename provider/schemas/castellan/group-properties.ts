import { group } from '../../../kinds/group/group.js';
import { computed, required } from '../build.js';
import { uuid } from '../checks.js';
import { describedAttributes } from '../described.js';
import type { ConfigRule, ResourceSchema } from '../schema.js';
import { isList } from '../../values/value.js';

/** No one can be accepted and refused as a sender at once. */
const sendersDiffer: ConfigRule = function* (config) {
  const { accepted_senders: accepted, rejected_senders: rejected } = config;
  if (!isList(accepted) || !isList(rejected)) return;
  const both = accepted.filter((each) => typeof each === 'string' && rejected.includes(each));
  if (both.length > 0)
    yield {
      severity: 'error',
      summary: 'A sender is both accepted and rejected',
      detail: `In both lists: ${both.map(String).join(', ')}`,
      path: ['rejected_senders'],
    };
};

/** What azuread_group can't say about a group: goes with it and takes its object id. */
export const groupProperties: ResourceSchema = {
  version: 0,
  description:
    'Properties of a group that azuread_group lacks. What is left out here is not touched; destroying this leaves the group as it is.',
  attributes: {
    id: computed('string', { description: "The group's object id. Import takes the same." }),
    group_object_id: required('string', { forceNew: true, checks: [uuid] }),
    ...describedAttributes(group, 'castellan_group_properties'),
  },
  rules: [sendersDiffer],
};
