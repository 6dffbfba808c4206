import type { DirectoryObject, Group } from '../../../clients/directory/index.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { PrincipalProps } from '../../../kinds/principal/principal.js';
import { objectTypeOf } from '../directory/group-output.js';
import { reservedNames } from '../../../kinds/schema/schema-builders.js';
import type { StackConfig } from '../../../kinds/stack/schema.js';

/** A configuration that declares existing groups and the principals that they name. */
interface AdoptedStack {
  readonly version: 1;
  readonly stack: string;
  /** By their names in the stack; undefined where there are none. */
  readonly principals?: Readonly<Record<string, PrincipalProps>>;
  /** By their names in the stack. */
  readonly groups: Readonly<Record<string, DeclaredGroup>>;
}

/**
 * Declares existing groups. Their owners, members and senders are declared as principals, each
 * once.
 */
export function adoptGroups(stack: string, existing: readonly ExistingGroup[]): AdoptedStack {
  const names = new DeclaredNames();
  const groupNames = new Map(
    existing.map(({ group }) => [
      group.id,
      names.claimName(group.id, group.mailNickname, group.displayName),
    ]),
  );
  const principals: Record<string, PrincipalProps> = {};
  const nameInStack = (object: DirectoryObject): string => {
    const adoptedName = groupNames.get(object.id);
    if (adoptedName !== undefined) return adoptedName;
    const { userPrincipalName } = object as { readonly userPrincipalName?: string };
    const name = names.claimName(
      object.id,
      userPrincipalName?.split('@')[0],
      object.displayName,
      objectTypeOf(object),
    );
    principals[name] ??= principalOf(object, userPrincipalName);
    return name;
  };
  const groups: Record<string, DeclaredGroup> = {};
  for (const each of existing)
    groups[groupNames.get(each.group.id) ?? each.group.id] = declareGroup(each, nameInStack);
  return {
    version: 1,
    stack,
    ...(Object.keys(principals).length > 0 && { principals }),
    groups,
  };
}

function principalOf(
  object: DirectoryObject,
  userPrincipalName: string | undefined,
): PrincipalProps {
  switch (objectTypeOf(object)) {
    case 'user':
      return { user: userPrincipalName ?? object.id };
    case 'servicePrincipal':
      return { servicePrincipal: object.id };
    case 'device':
      return { device: object.id };
    case 'group':
      return {
        group: object.id,
        groupKind: (object as Group).groupTypes?.includes('Unified') ? 'unified' : 'security',
      };
    default:
      return { contact: object.id };
  }
}

/**
 * Gives every object a unique name in the configuration: letters, digits, hyphens and underscores,
 * at most 63, starting with a letter. The same object keeps its name.
 */
export class DeclaredNames {
  readonly #byId = new Map<string, string>();
  readonly #taken = new Set<string>(reservedNames);

  /** The name of an object, from the first text that gives one. */
  claimName(id: string, ...texts: readonly (string | null | undefined)[]): string {
    const existingName = this.#byId.get(id);
    if (existingName !== undefined) return existingName;
    const base =
      texts.map(toDeclaredName).find((text) => text !== '') ?? `object-${id.slice(0, 8)}`;
    let name = base;
    for (let count = 2; this.#taken.has(name); count++) name = `${base.slice(0, 58)}-${count}`;
    this.#taken.add(name);
    this.#byId.set(id, name);
    return name;
  }
}

/** A text as a name of the configuration; empty if none of its characters are allowed. */
export function toDeclaredName(text: string | null | undefined): string {
  if (/^[A-Za-z][\w-]{0,62}$/.test(text ?? '')) return text ?? '';
  const words = (text ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '');
  return words.slice(0, 63);
}

/** A group as the configuration declares it. */
type DeclaredGroup = NonNullable<StackConfig['groups']>[string];

/** A group with the data for its declaration. */
export interface ExistingGroup {
  readonly group: Group;
  readonly owners: readonly DirectoryObject[];
  /** Undefined if members are not adopted. */
  readonly members: readonly DirectoryObject[] | undefined;
  /** From whom alone the group takes mail; empty: from all who are not rejected. */
  readonly acceptedSenders: readonly DirectoryObject[];
  readonly rejectedSenders: readonly DirectoryObject[];
}

/** The defaults of mailbox settings: a setting with this value is omitted. */
const mailboxDefaults = {
  allowExternalSenders: false,
  autoSubscribeNewMembers: false,
  hideFromAddressLists: false,
  hideFromOutlookClients: false,
} as const;

/**
 * The declaration of an existing group.
 *
 * @param nameInStack returns the name of an owner, member or sender.
 */
export function declareGroup(
  { group, ...related }: ExistingGroup,
  nameInStack: (object: DirectoryObject) => string,
): DeclaredGroup {
  const isUnified = group.groupTypes.includes('Unified');
  const isDynamic = group.groupTypes.includes('DynamicMembership');
  const names = (objects: readonly DirectoryObject[]): string[] | undefined =>
    objects.length === 0 ? undefined : objects.map(nameInStack);
  // uniqueName is omitted: no apply can set it, and undeclared values stay
  return omitUndefined({
    kind: isUnified ? 'unified' : 'security',
    displayName: group.displayName,
    // a declaration without one is applied with the name as description
    description: group.description ?? '',
    mailNickname: group.mailNickname,
    securityEnabled: isUnified && group.securityEnabled ? true : undefined,
    visibility: visibilityOf(group),
    classification: group.classification ?? undefined,
    preferredLanguage: group.preferredLanguage ?? undefined,
    preferredDataLocation: group.preferredDataLocation ?? undefined,
    theme: group.theme ?? undefined,
    isAssignableToRole: group.isAssignableToRole === true ? true : undefined,
    resourceBehaviorOptions: undefinedIfEmpty(group.resourceBehaviorOptions),
    resourceProvisioningOptions: undefinedIfEmpty(group.resourceProvisioningOptions),
    ...(isUnified && mailboxSettings(group)),
    dynamicMembership: isDynamic
      ? {
          rule: group.membershipRule ?? '',
          processing: group.membershipRuleProcessingState ?? 'On',
        }
      : undefined,
    owners: names(related.owners),
    // a declaration without owners makes the applying account an owner
    ownersManagedElsewhere: related.owners.length === 0 ? true : undefined,
    members: isDynamic || related.members === undefined ? undefined : names(related.members),
    membersManagedElsewhere: !isDynamic && related.members === undefined ? true : undefined,
    acceptedSenders: names(related.acceptedSenders),
    rejectedSenders: names(related.rejectedSenders),
    licenses: licencesOf(group),
    assignedLabels: (group.assignedLabels ?? []).length > 0 ? group.assignedLabels : undefined,
  }) as DeclaredGroup;
}

function visibilityOf({ visibility }: Group): string | undefined {
  if (visibility === null || visibility === undefined) return undefined;
  return ['Private', 'Public', 'HiddenMembership'].find(
    (word) => word.toLowerCase() === visibility.toLowerCase(),
  );
}

function mailboxSettings(group: Group): Record<string, boolean> {
  const changedSettings = Object.entries(mailboxDefaults).filter(
    ([name, defaultValue]) =>
      (group[name as keyof typeof mailboxDefaults] ?? defaultValue) !== defaultValue,
  );
  return Object.fromEntries(changedSettings.map(([name, defaultValue]) => [name, !defaultValue]));
}

function licencesOf({ assignedLicenses = [] }: Group): unknown {
  if (assignedLicenses.length === 0) return undefined;
  return assignedLicenses.map(({ skuId, disabledPlans = [] }) => ({
    skuId,
    ...(disabledPlans.length > 0 && { disabledPlans }),
  }));
}

function undefinedIfEmpty(values: readonly string[] | undefined): readonly string[] | undefined {
  return values !== undefined && values.length > 0 ? values : undefined;
}
