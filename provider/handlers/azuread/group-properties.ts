import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Group, GroupDraft } from '../../../clients/directory/index.js';
import { group as groupKind } from '../../../kinds/group/group.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { attributesInResource } from '../../../kinds/schema/mapping.js';
import type { Value, ValueMap } from '../../values/value.js';
import { expandProperties, flattenProperties } from '../described-values.js';
import { differsIn, isTrue, propertyAsValue, optionalText } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { groupId } from './ids.js';

/**
 * Stored with the mailbox: each is changed by its own request, and returned only when selected. API
 * names of the attributes.
 */
export const mailboxProperties: Readonly<Record<string, string>> =
  outsideStoreAttributes('azuread_group');

/** The attributes of a resource type that are outside the main store, with their API names. */
export function outsideStoreAttributes(type: string): Readonly<Record<string, string>> {
  const places = attributesInResource(groupKind, type).filter(
    ({ schema }) => metadataOf(schema).outsideMainStore === true,
  );
  return Object.fromEntries(places.map(({ name, attribute }) => [String(attribute[0]), name]));
}

/** The body that creates a group, without owners and members. */
export function groupDraft(planned: ValueMap): GroupDraft {
  return {
    ...omitUndefined({ writebackConfiguration: writeback(planned) }),
    mailEnabled: false,
    securityEnabled: false,
    groupTypes: [],
    mailNickname: randomNickname(),
    displayName: '',
    ...expandProperties(groupKind, 'azuread_group', planned),
  };
}

/** The changes of an update in one body, without mailbox properties and links. */
export function groupChanges(prior: ValueMap, planned: ValueMap): Partial<GroupDraft> {
  return {
    ...expandProperties(groupKind, 'azuread_group', planned, { prior }),
    ...(differsIn(prior, planned, 'writeback_enabled', 'onpremises_group_type') && {
      writebackConfiguration: {
        isEnabled: isTrue(planned, 'writeback_enabled'),
        ...onPremisesType(planned),
      },
    }),
  } as Partial<GroupDraft>;
}

function writeback(planned: ValueMap): object | undefined {
  return isTrue(planned, 'writeback_enabled') ||
    optionalText(planned, 'onpremises_group_type') !== undefined
    ? { isEnabled: isTrue(planned, 'writeback_enabled'), ...onPremisesType(planned) }
    : undefined;
}

function onPremisesType(planned: ValueMap): { readonly onPremisesGroupType?: string } {
  const type = optionalText(planned, 'onpremises_group_type');
  return type === undefined
    ? {}
    : { onPremisesGroupType: type.charAt(0).toLowerCase() + type.slice(1) };
}

/**
 * A nickname like those that the official provider generates for security groups: eight hexadecimal
 * digits, a hyphen, one more.
 */
function randomNickname(): string {
  const digits = crypto.randomUUID().replaceAll('-', '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 9)}`;
}

/** The attributes that come from the group itself. */
export function flattenGroup(group: Group): ActualValues {
  const describedAttributes = flattenProperties(groupKind, 'azuread_group', group);
  const rule = group.membershipRule ?? null;
  const writebackConfiguration: unknown = (group as unknown as Record<string, unknown>)[
    'writebackConfiguration'
  ];
  const onPremisesGroupType = propertyAsValue(writebackConfiguration, 'onPremisesGroupType');
  const dynamicMembership: Value =
    rule === null ? [] : [{ enabled: group.membershipRuleProcessingState === 'On', rule }];
  return {
    id: groupId(group.id),
    object_id: group.id,
    ...describedAttributes,
    visibility: describedAttributes['visibility'] ?? '',
    dynamic_membership: dynamicMembership,
    mail: propertyAsValue(group, 'mail') ?? '',
    onpremises_domain_name: propertyAsValue(group, 'onPremisesDomainName') ?? '',
    onpremises_group_type:
      typeof onPremisesGroupType === 'string'
        ? onPremisesGroupType.charAt(0).toUpperCase() + onPremisesGroupType.slice(1)
        : '',
    onpremises_netbios_name: propertyAsValue(group, 'onPremisesNetBiosName') ?? '',
    onpremises_sam_account_name: propertyAsValue(group, 'onPremisesSamAccountName') ?? '',
    onpremises_security_identifier: propertyAsValue(group, 'onPremisesSecurityIdentifier') ?? '',
    onpremises_sync_enabled: propertyAsValue(group, 'onPremisesSyncEnabled') ?? false,
    preferred_language: propertyAsValue(group, 'preferredLanguage') ?? '',
    proxy_addresses: propertyAsValue(group, 'proxyAddresses') ?? [],
    writeback_enabled: propertyAsValue(writebackConfiguration, 'isEnabled') ?? false,
  };
}
