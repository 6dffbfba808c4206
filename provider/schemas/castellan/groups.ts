import { group } from '../../../kinds/group/group.js';
import { computed, required, optional, optionalComputed } from '../schema-builders.js';
import { uuid, notEmpty } from '../checks.js';
import { describedAttributes } from '../described-schema.js';
import type { ConfigValidator, ResourceSchema } from '../schema.js';
import { isList } from '../../values/value.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';

/** Refuses a sender that is both accepted and rejected. */
const disjointSenderLists: ConfigValidator = function* (config) {
  const { accepted_senders: accepted, rejected_senders: rejected } = config;
  if (!isList(accepted) || !isList(rejected)) return;
  const inBothLists = accepted.filter(
    (each) => typeof each === 'string' && rejected.includes(each),
  );
  if (inBothLists.length > 0)
    yield {
      severity: 'error',
      summary: 'A sender is both accepted and rejected',
      detail: `Remove from one of the lists: ${inBothLists.map(String).join(', ')}`,
      path: ['rejected_senders'],
    };
};

/** Properties of a group that azuread_group lacks, by its object id. */
export const groupProperties: ResourceSchema = {
  version: 0,
  description:
    'Properties of a group that azuread_group lacks. Attributes that are not set are not changed; destroying this resource leaves the group as it is.',
  attributes: {
    id: computed('string', { description: "The group's object id, also for imports." }),
    group_object_id: required('string', { forceNew: true, checks: [uuid] }),
    ...describedAttributes(group, 'castellan_group_properties'),
  },
  configValidators: [disjointSenderLists],
};

const templateAttributes = ['template', 'template_id'];

/** A setting from a template: of one group, or of the whole tenant without one. */
export const groupSettings: ResourceSchema = {
  version: 0,
  description:
    'A directory setting made from a template, such as Group.Unified (classification list, guests, creation) or Group.Unified.Guest.',
  attributes: {
    id: computed('string', {
      description:
        "The setting's id, or <group>/<setting> if it belongs to a group; also for imports.",
    }),
    group_object_id: optional('string', {
      forceNew: true,
      checks: [uuid],
      description: 'The group that the setting is for. Default: the whole tenant.',
    }),
    template: optionalComputed('string', {
      forceNew: true,
      checks: [notEmpty],
      exactlyOneOf: templateAttributes,
      description: 'The name of the template.',
    }),
    template_id: optionalComputed('string', {
      forceNew: true,
      checks: [uuid],
      exactlyOneOf: templateAttributes,
      description: 'The id of the template.',
    }),
    values: required(['map', 'string'], {
      description:
        "Values by name, all as text. Names that are not set get the template's default.",
    }),
    setting_id: computed('string', { description: 'The id of the setting alone.' }),
  },
};

/** The expiration policy of unified groups; a tenant has one. */
export const groupLifecyclePolicySchema: ResourceSchema = {
  version: 0,
  description: 'The expiration policy of unified groups. A tenant has at most one.',
  attributes: {
    id: computed('string', { description: "The policy's id, also for imports." }),
    ...describedAttributes(groupLifecyclePolicy, 'castellan_group_lifecycle_policy'),
    group_object_ids: optionalComputed(['set', 'string'], {
      checks: [uuid],
      description: 'The groups that expire, for managed_group_types Selected.',
    }),
  },
};
