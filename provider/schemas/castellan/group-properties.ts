import { group } from '../../../kinds/group/group.js';
import { computed, nested, optional, optionalComputed, required } from '../build.js';
import { notEmpty, uuid } from '../checks.js';
import { described } from '../described.js';
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
    classification: optionalComputed('string', { checks: [notEmpty], description: "One of the tenant's classification list." }),
    preferred_language: optionalComputed('string', {
      checks: [described(group.properties.preferredLanguage)],
      description: 'ISO 639-1 code, such as en-US.',
    }),
    preferred_data_location: optionalComputed('string', {
      checks: [described(group.properties.preferredDataLocation)],
      description: 'Where data are kept, such as EUR.',
    }),
    unique_name: optionalComputed('string', {
      forceNew: true,
      checks: [described(group.properties.uniqueName)],
      description: 'An alternate key; once set, it never changes.',
    }),
    assigned_label_ids: optionalComputed(['set', 'string'], { checks: [uuid], description: 'Sensitivity labels, by id.' }),
    accepted_senders: optionalComputed(['set', 'string'], {
      checks: [uuid],
      description: 'Users and groups that may post; empty: everyone.',
    }),
    rejected_senders: optionalComputed(['set', 'string'], { checks: [uuid], description: 'Users and groups that may not post.' }),
    assigned_licenses: nested(
      'optionalComputed',
      'set',
      { sku_id: required('string', { checks: [uuid] }), disabled_plans: optional(['set', 'string'], { checks: [uuid], default: [] }) },
      { description: 'Licences that every member gets.' },
    ),
    access_type: optionalComputed('string', {
      checks: [described(group.properties.accessType)],
      description: 'Needs a signed-in user, as all properties do that are kept with the mailbox.',
    }),
    subscribed_by_mail: optionalComputed('bool', {
      description: 'Whether the signed-in user gets conversations by mail. Needs a signed-in user.',
    }),
    favorite: optionalComputed('bool', { description: 'Whether the group is a favourite of the signed-in user. Needs a signed-in user.' }),
  },
  rules: [sendersDiffer],
};
