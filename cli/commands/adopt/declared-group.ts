import type { DirectoryObject, Group } from '../../../clients/directory/index.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';

/** A group as the configuration declares it. */
export type DeclaredGroup = NonNullable<StackConfig['groups']>[string];

/** A group with everything that a declaration says about it. */
export interface ExistingGroup {
  readonly group: Group;
  readonly owners: readonly DirectoryObject[];
  /** Undefined where members are left alone. */
  readonly members: readonly DirectoryObject[] | undefined;
  readonly acceptedSenders: readonly DirectoryObject[];
  readonly rejectedSenders: readonly DirectoryObject[];
}

/** What a mailbox switch is before anybody touches it: what is so needs no line. */
const mailboxDefaults = {
  allowExternalSenders: false,
  autoSubscribeNewMembers: false,
  hideFromAddressLists: false,
  hideFromOutlookClients: false,
} as const;

/**
 * The declaration that leads to the group as it is.
 *
 * @param nameOf the name by which owners, members and senders are declared.
 */
export function declareGroup({ group, ...related }: ExistingGroup, nameOf: (object: DirectoryObject) => string): DeclaredGroup {
  const unified = group.groupTypes.includes('Unified');
  const dynamic = group.groupTypes.includes('DynamicMembership');
  const names = (objects: readonly DirectoryObject[]): string[] | undefined => (objects.length === 0 ? undefined : objects.map(nameOf));
  // uniqueName is left out: no apply can set it, and what isn't declared stays as it is
  return withoutUndefined({
    kind: unified ? 'unified' : 'security',
    displayName: group.displayName,
    // a declaration without one is applied with the name as description
    description: group.description ?? '',
    mailNickname: group.mailNickname,
    securityEnabled: unified && group.securityEnabled ? true : undefined,
    visibility: visibilityOf(group),
    classification: group.classification ?? undefined,
    preferredLanguage: group.preferredLanguage ?? undefined,
    preferredDataLocation: group.preferredDataLocation ?? undefined,
    theme: group.theme ?? undefined,
    isAssignableToRole: group.isAssignableToRole === true ? true : undefined,
    resourceBehaviorOptions: listed(group.resourceBehaviorOptions),
    resourceProvisioningOptions: listed(group.resourceProvisioningOptions),
    ...(unified ? mailbox(group) : {}),
    dynamicMembership: dynamic ? { rule: group.membershipRule ?? '', processing: group.membershipRuleProcessingState ?? 'On' } : undefined,
    owners: names(related.owners),
    // a declaration without owners makes the account that applies it one
    ownersManagedElsewhere: related.owners.length === 0 ? true : undefined,
    members: dynamic || related.members === undefined ? undefined : names(related.members),
    membersManagedElsewhere: !dynamic && related.members === undefined ? true : undefined,
    acceptedSenders: names(related.acceptedSenders),
    rejectedSenders: names(related.rejectedSenders),
    licenses: licences(group),
    assignedLabels: (group.assignedLabels ?? []).length > 0 ? group.assignedLabels : undefined,
  }) as DeclaredGroup;
}

function visibilityOf({ visibility }: Group): string | undefined {
  if (visibility === null || visibility === undefined) return undefined;
  return ['Private', 'Public', 'HiddenMembership'].find((word) => word.toLowerCase() === visibility.toLowerCase());
}

function mailbox(group: Group): Record<string, boolean> {
  const changed = Object.entries(mailboxDefaults).filter(
    ([name, absent]) => (group[name as keyof typeof mailboxDefaults] ?? absent) !== absent,
  );
  return Object.fromEntries(changed.map(([name, absent]) => [name, !absent]));
}

function licences({ assignedLicenses = [] }: Group): unknown {
  if (assignedLicenses.length === 0) return undefined;
  return assignedLicenses.map(({ skuId, disabledPlans = [] }) => ({ skuId, ...(disabledPlans.length > 0 ? { disabledPlans } : {}) }));
}

function listed(values: readonly string[] | undefined): readonly string[] | undefined {
  return values !== undefined && values.length > 0 ? values : undefined;
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
