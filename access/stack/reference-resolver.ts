import { isGuid } from '../../core/values/guid.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { hashOfName } from '../directory/pseudonyms.js';
import type { ApplicationRecord, DirectorySnapshot, GroupRecord } from '../directory/records.js';
import type { GroupProps } from '../../kinds/group/group.js';

/**
 * A stack's applied objects in the directory, by the stack's names: object ids of groups, client
 * ids of registrations.
 */
export interface AppliedIds {
  readonly groups: ReadonlyMap<string, string>;
  readonly registrations: ReadonlyMap<string, string>;
}

const nothingApplied: AppliedIds = { groups: new Map(), registrations: new Map() };

/** A declaration by its name in a section; a name such as `constructor` finds nothing inherited. */
export function findDeclared<T>(
  section: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return section !== undefined && Object.hasOwn(section, name) ? section[name] : undefined;
}

/**
 * Resolves the references of a stack in a directory to object ids; missing objects get generated
 * ones.
 */
export class ReferenceResolver {
  /** The ids of users and service principals by `user:` or `servicePrincipal:` and their name. */
  readonly #principalIds = new Map<string, string>();
  /** The groups of the directory by display name in lower case, of those that the stack names. */
  readonly #groupsByName: ReadonlyMap<string, GroupRecord[]>;

  constructor(
    private readonly config: StackConfig,
    private readonly directory: DirectorySnapshot,
    private readonly applied: AppliedIds = nothingApplied,
  ) {
    const principals = Object.values(config.principals ?? {});
    for (const name of principals.flatMap(({ user }) => user?.toLowerCase() ?? [])) {
      // a snapshot with pseudonyms has hashes of the names that configurations use
      const id =
        directory.coverage?.idsByNameHash.get(hashOfName(name)) ??
        directory.people[directory.personIndexes.get(name) ?? -1]?.id;
      if (id !== undefined) this.#principalIds.set(`user:${name}`, id);
    }
    for (const { id, displayName } of directory.servicePrincipals)
      this.#principalIds.set(`servicePrincipal:${displayName.toLowerCase()}`, id);
    const names = [
      ...principals.map(({ group }) => group),
      ...Object.values(config.groups ?? {}).map(({ displayName }) => displayName),
    ];
    this.#groupsByName = new Map(names.map((name) => [name?.toLowerCase() ?? '', []]));
    for (const group of directory.groups)
      this.#groupsByName.get(group.displayName.toLowerCase())?.push(group);
  }

  /** The id of a declared group: that of its group in the directory, otherwise a generated one. */
  groupId(name: string): string {
    // ids are compared without case, names are not; and two stacks may use the same name for
    // different groups
    const generatedId = `groups.${this.config.stack}.${name}`.replace(
      /[A-Z]/g,
      (letter) => `^${letter.toLowerCase()}`,
    );
    return this.existingGroup(name)?.id ?? generatedId;
  }

  /**
   * The directory's group for a declared one: by the applied id, otherwise by its alternate key,
   * otherwise by name and nickname.
   */
  existingGroup(name: string): GroupRecord | undefined {
    const declared = findDeclared(this.config.groups, name);
    if (declared === undefined) return undefined;
    const appliedId = this.applied.groups.get(name);
    if (appliedId !== undefined) return this.directory.groups.find(({ id }) => id === appliedId);
    const { uniqueName } = declared;
    if (uniqueName !== undefined) {
      const record = this.directory.groups.find((group) => group.uniqueName === uniqueName);
      if (record !== undefined) return record;
    }
    const nickname = (declared.mailNickname ?? name).toLowerCase();
    const namesakes = this.#groupsByName.get(declared.displayName.toLowerCase()) ?? [];
    return namesakes.find((group) => group.mailNickname?.toLowerCase() === nickname);
  }

  /**
   * The id of a reference in the configuration: a group of the stack, a principal, or an object id.
   */
  idOf(reference: string): string {
    if (findDeclared(this.config.groups, reference) !== undefined) return this.groupId(reference);
    const principal = findDeclared(this.config.principals, reference);
    if (principal === undefined)
      return isGuid(reference) ? reference.toLowerCase() : `principals.${reference}`;
    const [kind, name] = Object.entries(principal).find(([key]) => key !== 'groupKind') ?? ['', ''];
    if (isGuid(name)) return name.toLowerCase();
    const id =
      kind === 'group'
        ? this.#groupIdByName(name, principal.groupKind)
        : this.#principalIds.get(`${kind}:${name.toLowerCase()}`);
    return id ?? `${kind}:${name}`;
  }

  /**
   * The directory's application for a declared registration: by the applied id, otherwise by name.
   */
  existingApplication(name: string): ApplicationRecord | undefined {
    const appliedId = this.applied.registrations.get(name);
    const { applications } = this.directory;
    if (appliedId !== undefined) return applications.find(({ appId }) => appId === appliedId);
    const displayName = findDeclared(this.config.registrations, name)?.displayName;
    return applications.find((each) => each.displayName === displayName);
  }

  #groupIdByName(name: string, kind: 'security' | 'unified' | undefined): string | undefined {
    const namesakes = this.#groupsByName.get(name.toLowerCase()) ?? [];
    return namesakes.find(
      ({ isUnified }) => kind === undefined || isUnified === (kind === 'unified'),
    )?.id;
  }
}

/**
 * The directory after the stack is applied: its groups, with the declared ones in their place.
 *
 * @param membersOf the present members of a group: where the stack pauses or removes a rule, the
 *   people whom it has selected stay.
 */
export function withDeclaredGroups(
  directory: DirectorySnapshot,
  config: StackConfig,
  references: ReferenceResolver,
  membersOf: (group: GroupRecord) => readonly string[],
): DirectorySnapshot {
  const declaredGroups = new Map(
    Object.entries(config.groups ?? {}).map(([name, props]) => {
      const record = {
        ...declaredGroupRecord(name, props, references, membersOf),
        stack: config.stack,
      };
      return [record.id, record] as const;
    }),
  );
  if (declaredGroups.size === 0) return directory;
  const otherGroups = directory.groups.filter(({ id }) => !declaredGroups.has(id));
  return { ...directory, groups: [...declaredGroups.values(), ...otherGroups] };
}

function declaredGroupRecord(
  name: string,
  props: GroupProps,
  references: ReferenceResolver,
  membersOf: (group: GroupRecord) => readonly string[],
): GroupRecord {
  const existing = references.existingGroup(name);
  const isUnified =
    (props.kind ?? (props.groupTypes?.includes('Unified') === true ? 'unified' : 'security')) ===
    'unified';
  const rule = props.dynamicMembership?.rule ?? props.membershipRule;
  const processing =
    props.dynamicMembership?.processing ?? props.membershipRuleProcessingState ?? 'On';
  const isPaused = rule !== undefined && processing !== 'On';
  const areMembersManagedElsewhere =
    isPaused ||
    (rule === undefined && (props.membersManagedElsewhere === true || props.members === undefined));
  const ids = (names: readonly string[] | undefined) =>
    names?.map((each) => references.idOf(each).toLowerCase());
  return {
    id: references.groupId(name),
    displayName: props.displayName,
    mailNickname: props.mailNickname ?? name,
    ...omitUndefined({ uniqueName: props.uniqueName }),
    securityEnabled: props.securityEnabled ?? !isUnified,
    isUnified,
    ...omitUndefined({ rule: isPaused ? undefined : rule }),
    isPublic: (props.visibility ?? defaultVisibility(existing, isUnified)) === 'Public',
    members: areMembersManagedElsewhere
      ? existing === undefined
        ? []
        : membersOf(existing)
      : (ids(props.members) ?? []),
    ...(areMembersManagedElsewhere && { areMembersManagedElsewhere }),
    owners:
      props.ownersManagedElsewhere === true
        ? (existing?.owners ?? [])
        : (ids(props.owners) ?? existing?.owners ?? []),
    isAssignableToRole: props.isAssignableToRole === true,
    declaredName: name,
  };
}

function defaultVisibility(existing: GroupRecord | undefined, unified: boolean): string {
  return (existing?.isPublic ?? unified) ? 'Public' : 'Private';
}
