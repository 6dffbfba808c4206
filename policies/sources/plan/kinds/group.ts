import type { Mapping } from '../mapping.js';
import { map, notEmpty, text, wordOf } from '../mapping.js';

/** How `azuread_group` and `azuread_group_without_members` say what a group is. */
export const group: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('mailNickname', 'mail_nickname'),
  map('groupTypes', 'types'),
  map('mailEnabled', 'mail_enabled'),
  map('securityEnabled', 'security_enabled'),
  map('visibility', 'visibility', (word) => text(wordOf({ Hiddenmembership: 'HiddenMembership' })(word))),
  map('isAssignableToRole', 'assignable_to_role'),
  map('theme', 'theme', text),
  map('owners', 'owners', notEmpty),
  map('members', 'members'),
  map('membershipRule', 'dynamic_membership.0.rule'),
  map('resourceBehaviorOptions', 'behaviors', notEmpty),
  map('resourceProvisioningOptions', 'provisioning_options', notEmpty),
];
