import { computed, optional, optionalComputed, timeoutsBlock } from '../../build.js';
import { notEmpty, uuid } from '../../checks.js';
import type { ResourceSchema } from '../../schema.js';

/** The data source azuread_group. */
export const groupData: ResourceSchema = {
  version: 0,
  attributes: {
    assignable_to_role: computed('bool'),
    auto_subscribe_new_members: computed('bool'),
    behaviors: computed(['list', 'string']),
    description: computed('string'),
    display_name: optionalComputed('string', { exactlyOneOf: ['display_name', 'object_id', 'mail_nickname'], checks: [notEmpty] }),
    dynamic_membership: computed(['list', ['object', { enabled: 'bool', rule: 'string' }]]),
    external_senders_allowed: computed('bool'),
    hide_from_address_lists: computed('bool'),
    hide_from_outlook_clients: computed('bool'),
    id: optionalComputed('string'),
    include_transitive_members: optional('bool', { default: false }),
    mail: computed('string'),
    mail_enabled: optionalComputed('bool'),
    mail_nickname: optionalComputed('string', { exactlyOneOf: ['display_name', 'object_id', 'mail_nickname'], checks: [notEmpty] }),
    members: computed(['list', 'string']),
    object_id: optionalComputed('string', { exactlyOneOf: ['display_name', 'object_id', 'mail_nickname'], checks: [uuid] }),
    onpremises_domain_name: computed('string'),
    onpremises_group_type: computed('string'),
    onpremises_netbios_name: computed('string'),
    onpremises_sam_account_name: computed('string'),
    onpremises_security_identifier: computed('string'),
    onpremises_sync_enabled: computed('bool'),
    owners: computed(['list', 'string']),
    preferred_language: computed('string'),
    provisioning_options: computed(['list', 'string']),
    proxy_addresses: computed(['list', 'string']),
    security_enabled: optionalComputed('bool'),
    theme: computed('string'),
    types: computed(['list', 'string']),
    visibility: computed('string'),
    writeback_enabled: computed('bool'),
  },
  blocks: { ...timeoutsBlock('read') },
};
