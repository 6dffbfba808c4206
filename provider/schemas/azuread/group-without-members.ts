import { block, computed, optional, optionalComputed, required, timeoutsBlock } from '../build.js';
import { length, notEmpty, oneOf, uuid } from '../checks.js';
import { groupBehaviors, mailNickname } from './names.js';
import type { Attribute, ResourceSchema } from '../schema.js';

/** The attributes of a group, without its members. */
export const groupAttributes = {
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
export const membershipRule = { enabled: required('bool'), rule: required('string', { checks: [length(0, 3072)] }) } satisfies Readonly<
  Record<string, Attribute>
>;

/** The blocks of a group. */
export const groupBlocks = { dynamic_membership: block('list', membershipRule, { max: 1 }), ...timeoutsBlock() };

/** The resource azuread_group_without_members. */
export const groupWithoutMembers: ResourceSchema = { version: 0, attributes: groupAttributes, blocks: groupBlocks };
