import type { Group, GroupDraft } from '../../../clients/directory/index.js';
import type { Value, ValueMap } from '../../values/value.js';
import { blocks, defined, differs, flag, flagIfSet, given, text, textOrClear, texts } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { groupId } from './ids.js';

/** Kept with the mailbox: each is changed by a request of its own, and read only by name. */
export const mailboxProperties = {
  external_senders_allowed: 'allowExternalSenders',
  auto_subscribe_new_members: 'autoSubscribeNewMembers',
  hide_from_address_lists: 'hideFromAddressLists',
  hide_from_outlook_clients: 'hideFromOutlookClients',
} as const;

/** The body that creates a group, without owners and members. */
export function groupDraft(planned: ValueMap): GroupDraft {
  const [dynamic] = blocks(planned, 'dynamic_membership');
  const visibility = text(planned, 'visibility');
  return {
    ...defined({
      description: text(planned, 'description'),
      membershipRule: text(dynamic, 'rule'),
      membershipRuleProcessingState: dynamic === undefined ? undefined : processingState(dynamic),
      resourceBehaviorOptions: noneIfEmpty(texts(planned, 'behaviors')),
      resourceProvisioningOptions: noneIfEmpty(texts(planned, 'provisioning_options')),
      isAssignableToRole: flagIfSet(planned, 'assignable_to_role'),
      theme: text(planned, 'theme'),
      visibility: visibility === undefined ? undefined : spelledVisibility(visibility),
      writebackConfiguration: writeback(planned),
    }),
    displayName: text(planned, 'display_name') ?? '',
    groupTypes: texts(planned, 'types').sort(),
    mailEnabled: flag(planned, 'mail_enabled'),
    mailNickname: text(planned, 'mail_nickname') ?? randomNickname(),
    securityEnabled: flag(planned, 'security_enabled'),
  } as GroupDraft;
}

/** The changes of an update, in one body; properties of the mailbox and links not among them. */
export function groupChanges(prior: ValueMap, planned: ValueMap): Partial<GroupDraft> {
  const changed = (...names: string[]): boolean => differs(prior, planned, ...names);
  const [dynamic] = blocks(planned, 'dynamic_membership');
  const visibility = text(planned, 'visibility');
  return defined({
    description: changed('description') ? textOrClear(planned, 'description') : undefined,
    displayName: changed('display_name') ? (text(planned, 'display_name') ?? '') : undefined,
    mailEnabled: changed('mail_enabled') ? flag(planned, 'mail_enabled') : undefined,
    securityEnabled: changed('security_enabled') ? flag(planned, 'security_enabled') : undefined,
    membershipRule: changed('dynamic_membership') ? (text(dynamic, 'rule') ?? null) : undefined,
    membershipRuleProcessingState: changed('dynamic_membership') && dynamic !== undefined ? processingState(dynamic) : undefined,
    theme: changed('theme') ? textOrClear(planned, 'theme') : undefined,
    visibility: changed('visibility') && visibility !== undefined ? spelledVisibility(visibility) : undefined,
    writebackConfiguration: changed('writeback_enabled', 'onpremises_group_type')
      ? { isEnabled: flag(planned, 'writeback_enabled'), ...onPremisesType(planned) }
      : undefined,
  }) as Partial<GroupDraft>;
}

function writeback(planned: ValueMap): object | undefined {
  return flag(planned, 'writeback_enabled') || text(planned, 'onpremises_group_type') !== undefined
    ? { isEnabled: flag(planned, 'writeback_enabled'), ...onPremisesType(planned) }
    : undefined;
}

function onPremisesType(planned: ValueMap): { readonly onPremisesGroupType?: string } {
  const type = text(planned, 'onpremises_group_type');
  return type === undefined ? {} : { onPremisesGroupType: type.charAt(0).toLowerCase() + type.slice(1) };
}

function processingState(dynamic: ValueMap): 'On' | 'Paused' {
  return flag(dynamic, 'enabled') ? 'On' : 'Paused';
}

/** The official provider spells it Hiddenmembership; the directory has a capital M. */
function spelledVisibility(visibility: string): string {
  return visibility === 'Hiddenmembership' ? 'HiddenMembership' : visibility;
}

function noneIfEmpty(words: string[]): string[] | undefined {
  return words.length === 0 ? undefined : words;
}

/** As the official provider makes one up for security groups: eight hexadecimal digits, a hyphen, one more. */
function randomNickname(): string {
  const digits = crypto.randomUUID().replaceAll('-', '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 9)}`;
}

/** The attributes that come from the group itself. */
export function flattenGroup(group: Group): Reported {
  const rule = group.membershipRule ?? null;
  const visibility = given(group, 'visibility');
  const writebackConfiguration: unknown = (group as unknown as Record<string, unknown>)['writebackConfiguration'];
  const onPremises = given(writebackConfiguration, 'onPremisesGroupType');
  const dynamic: Value = rule === null ? [] : [{ enabled: group.membershipRuleProcessingState === 'On', rule }];
  return {
    id: groupId(group.id),
    object_id: group.id,
    assignable_to_role: given(group, 'isAssignableToRole') ?? false,
    behaviors: given(group, 'resourceBehaviorOptions') ?? [],
    description: given(group, 'description'),
    display_name: group.displayName,
    dynamic_membership: dynamic,
    mail: given(group, 'mail') ?? '',
    mail_enabled: group.mailEnabled,
    mail_nickname: given(group, 'mailNickname') ?? '',
    onpremises_domain_name: given(group, 'onPremisesDomainName') ?? '',
    onpremises_group_type: typeof onPremises === 'string' ? onPremises.charAt(0).toUpperCase() + onPremises.slice(1) : '',
    onpremises_netbios_name: given(group, 'onPremisesNetBiosName') ?? '',
    onpremises_sam_account_name: given(group, 'onPremisesSamAccountName') ?? '',
    onpremises_security_identifier: given(group, 'onPremisesSecurityIdentifier') ?? '',
    onpremises_sync_enabled: given(group, 'onPremisesSyncEnabled') ?? false,
    preferred_language: given(group, 'preferredLanguage') ?? '',
    provisioning_options: given(group, 'resourceProvisioningOptions') ?? [],
    proxy_addresses: given(group, 'proxyAddresses') ?? [],
    security_enabled: group.securityEnabled,
    theme: given(group, 'theme'),
    types: given(group, 'groupTypes') ?? [],
    visibility: typeof visibility === 'string' && visibility.toLowerCase() === 'hiddenmembership' ? 'Hiddenmembership' : (visibility ?? ''),
    writeback_enabled: given(writebackConfiguration, 'isEnabled') ?? false,
  };
}
