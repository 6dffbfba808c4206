import { block, optionalComputed, computed, optional, required, timeoutsBlock, dataOf, foundByOne } from '../build.js';
import { uuid, length, notEmpty, oneOf } from '../checks.js';
import type { ResourceSchema, Attribute } from '../schema.js';
import { groupBehaviors, mailNickname } from './names.js';

/** The attributes of a group, without its members. */
const groupAttributes = {
  administrative_unit_ids: optional(['set', 'string'], { checks: [uuid] }),
  assignable_to_role: optional('bool', { forceNew: true }),
  auto_subscribe_new_members: optionalComputed('bool'),
  behaviors: optional(['set', 'string'], { forceNew: true, checks: [oneOf(...groupBehaviors)] }),
  description: optional('string'),
  display_name: required('string', { checks: [notEmpty] }),
  external_senders_allowed: optionalComputed('bool'),
  hide_from_address_lists: optionalComputed('bool'),
  hide_from_outlook_clients: optionalComputed('bool'),
  id: optionalComputed('string'),
  mail: computed('string'),
  mail_enabled: optional('bool', { atLeastOneOf: ['mail_enabled', 'security_enabled'] }),
  mail_nickname: optionalComputed('string', { forceNew: true, checks: [mailNickname] }),
  object_id: computed('string'),
  onpremises_domain_name: computed('string'),
  onpremises_group_type: optionalComputed('string', {
    checks: [oneOf('UniversalDistributionGroup', 'UniversalMailEnabledSecurityGroup', 'UniversalSecurityGroup')],
  }),
  onpremises_netbios_name: computed('string'),
  onpremises_sam_account_name: computed('string'),
  onpremises_security_identifier: computed('string'),
  onpremises_sync_enabled: computed('bool'),
  owners: optionalComputed(['set', 'string'], { max: 100, checks: [uuid] }),
  preferred_language: computed('string'),
  prevent_duplicate_names: optional('bool', { default: false }),
  provisioning_options: optional(['set', 'string'], { forceNew: true, checks: [oneOf('Team')] }),
  proxy_addresses: computed(['list', 'string']),
  security_enabled: optional('bool', { atLeastOneOf: ['mail_enabled', 'security_enabled'] }),
  theme: optional('string', { checks: [oneOf('', 'Blue', 'Green', 'Orange', 'Pink', 'Purple', 'Red', 'Teal')] }),
  types: optional(['set', 'string'], { forceNew: true, checks: [oneOf('DynamicMembership', 'Unified')] }),
  visibility: optionalComputed('string', { checks: [oneOf('Private', 'Public', 'Hiddenmembership')] }),
  writeback_enabled: optional('bool', { default: false }),
} satisfies Readonly<Record<string, Attribute>>;

/** The attributes of the block dynamic_membership. */
const membershipRule = { enabled: required('bool'), rule: required('string', { checks: [length(0, 3072)] }) } satisfies Readonly<
  Record<string, Attribute>
>;

/** The blocks of a group. */
const groupBlocks = { dynamic_membership: block('list', membershipRule, { max: 1 }), ...timeoutsBlock() };

/** The resource azuread_group_without_members. */
export const groupWithoutMembers: ResourceSchema = { version: 0, attributes: groupAttributes, blocks: groupBlocks };

/** The resource azuread_group: {@link groupWithoutMembers} and who belongs to it. */
export const group: ResourceSchema = {
  version: 1,
  attributes: {
    ...groupAttributes,
    members: optionalComputed(['set', 'string'], { conflictsWith: ['dynamic_membership'], checks: [uuid] }),
  },
  blocks: { ...groupBlocks, dynamic_membership: block('list', membershipRule, { max: 1, conflictsWith: ['members'] }) },
};

/** The resource azuread_group_member. */
export const groupMember: ResourceSchema = {
  version: 0,
  attributes: {
    group_object_id: required('string', { forceNew: true, checks: [uuid] }),
    id: optionalComputed('string'),
    member_object_id: required('string', { forceNew: true, checks: [uuid] }),
  },
  blocks: { ...timeoutsBlock('create', 'read', 'delete') },
};

/** The data source azuread_group. */
export const groupData = dataOf(
  group,
  {
    ...foundByOne({ display_name: notEmpty, object_id: uuid, mail_nickname: notEmpty }),
    include_transitive_members: optional('bool', { default: false }),
    mail_enabled: optionalComputed('bool'),
    security_enabled: optionalComputed('bool'),
  },
  ['administrative_unit_ids', 'prevent_duplicate_names'],
);

const groupKeys = ['display_names', 'display_name_prefix', 'object_ids', 'return_all'];

/** The data source azuread_groups. */
export const groupsData: ResourceSchema = {
  version: 0,
  attributes: {
    display_name_prefix: optionalComputed('string', { exactlyOneOf: groupKeys, checks: [notEmpty] }),
    display_names: optionalComputed(['list', 'string'], { exactlyOneOf: groupKeys, checks: [notEmpty] }),
    id: optionalComputed('string'),
    ignore_missing: optional('bool', { default: false, conflictsWith: ['return_all'] }),
    mail_enabled: optionalComputed('bool', { conflictsWith: ['object_ids'] }),
    object_ids: optionalComputed(['list', 'string'], { exactlyOneOf: groupKeys, checks: [uuid] }),
    return_all: optional('bool', { conflictsWith: ['ignore_missing'], exactlyOneOf: groupKeys }),
    security_enabled: optionalComputed('bool', { conflictsWith: ['object_ids'] }),
  },
  blocks: timeoutsBlock('read'),
};
