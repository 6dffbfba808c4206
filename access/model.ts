import { guidRegexSource } from '../core/values/guid.js';
import type { StackConfig } from '../kinds/stack/schema.js';
import type { Group } from './directory/group.js';
import { Memberships } from './directory/memberships.js';
import type { DirectorySnapshot, GroupRecord } from './directory/records.js';
import { type AppAccess, declaredApps } from './stack/apps.js';
import {
  type AppliedIds,
  ReferenceResolver,
  withDeclaredGroups,
} from './stack/reference-resolver.js';

/** Stacks and a directory: the data that decides who gets in. */
export interface AccessModel {
  readonly apps: readonly AppAccess[];
  readonly memberships: Memberships;
  /** The directory with the groups that the stacks declare. */
  readonly directory: DirectorySnapshot;
}

/** Options of {@link accessModel}. */
export interface AccessModelOptions {
  /** The current time in milliseconds since 1970, for rules. */
  readonly now: number;
  /** A model of the same directory whose sets of members are reused where they cannot differ. */
  readonly reuseFrom?: AccessModel;
  /**
   * The ids of each stack's objects in the directory, if it was applied; otherwise objects are
   * found by name.
   */
  readonly applied?: ReadonlyMap<string, AppliedIds>;
}

/** Combines stacks with the directory that was read. */
export function accessModel(
  configs: readonly StackConfig[],
  snapshot: DirectorySnapshot,
  options: AccessModelOptions,
): AccessModel {
  let directory = snapshot;
  let currentMemberships: Memberships | undefined;
  const membersOf = (group: GroupRecord): readonly string[] =>
    group.rule === undefined
      ? group.members
      : currentMembers(group, (currentMemberships ??= new Memberships(snapshot, options.now)));
  const apps = configs.flatMap((config) => {
    const references = new ReferenceResolver(config, snapshot, options.applied?.get(config.stack));
    directory = withDeclaredGroups(directory, config, references, membersOf);
    return declaredApps(config, snapshot, references);
  });
  return modelOfApps(apps, directory, options);
}

/** The members of a group, with the people whom its rule selects by their ids. */
function currentMembers({ id, members }: GroupRecord, memberships: Memberships): readonly string[] {
  const group = memberships.group(id);
  if (group?.rule === undefined) return members;
  const people = [...memberships.directMembers(group)].map((each) => memberships.person(each).id);
  // a rule that can't be decided stays as a member who is not known
  return [...people, ...group.unresolvedMembers];
}

/** Combines apps with a directory. */
export function modelOfApps(
  apps: readonly AppAccess[],
  directory: DirectorySnapshot,
  { now, reuseFrom }: AccessModelOptions,
): AccessModel {
  if (reuseFrom === undefined)
    return { apps, directory, memberships: new Memberships(directory, now) };
  const changed = changedGroups(directory, reuseFrom.directory);
  const isUnchanged = ({ record }: Group): boolean => !changed.has(record.id);
  return {
    apps,
    directory,
    memberships: new Memberships(directory, now, { from: reuseFrom.memberships, isUnchanged }),
  };
}

/**
 * The groups whose members, or their tokens, can differ: those with another definition, and those
 * that contain or use one of them.
 */
function changedGroups(
  directory: DirectorySnapshot,
  before: DirectorySnapshot,
): ReadonlySet<string> {
  const definition = ({ members, rule, isUnified, securityEnabled }: GroupRecord): string =>
    JSON.stringify([members, rule, isUnified, securityEnabled]);
  const previousGroups = new Map(before.groups.map((group) => [group.id, group]));
  const changedIds = new Set<string>();
  for (const group of directory.groups) {
    const previousGroup = previousGroups.get(group.id);
    if (
      previousGroup !== group &&
      (previousGroup === undefined || definition(group) !== definition(previousGroup))
    )
      changedIds.add(group.id);
    previousGroups.delete(group.id);
  }
  for (const id of previousGroups.keys()) changedIds.add(id);
  if (changedIds.size === 0) return changedIds;
  const dependents = new Map<string, string[]>();
  const addDependent = (id: string, dependent: string): void =>
    void dependents.set(id, [...(dependents.get(id) ?? []), dependent]);
  const ids = new Set([...directory.groups, ...before.groups].map(({ id }) => id));
  for (const { id, members, rule } of directory.groups) {
    if (rule === undefined)
      for (const member of members) if (ids.has(member)) addDependent(member, id);
    for (const [guid] of rule?.matchAll(new RegExp(guidRegexSource, 'g')) ?? [])
      addDependent(guid.toLowerCase(), id);
  }
  for (const id of changedIds)
    for (const dependent of dependents.get(id) ?? []) changedIds.add(dependent);
  return changedIds;
}
