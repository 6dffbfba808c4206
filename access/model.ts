import type { StackConfig } from '../kinds/stack/schema.js';
import { Memberships } from './directory/memberships.js';
import type { DirectorySnapshot } from './directory/records.js';
import { appsOf } from './stack/apps.js';
import type { AppAccess } from './stack/apps.js';
import { withDeclaredGroups } from './stack/declared-groups.js';
import { References } from './stack/references.js';

/** Stacks and a directory: what decides who gets in. */
export interface AccessModel {
  readonly apps: readonly AppAccess[];
  readonly memberships: Memberships;
  /** The directory with what the stacks declare in it. */
  readonly directory: DirectorySnapshot;
}

/** How {@link accessModel} works. */
export interface AccessModelOptions {
  /** Milliseconds since 1970, for rules that ask the time. */
  readonly now: number;
  /** A model of the same directory whose sets of members are taken over where they can't differ. */
  readonly like?: AccessModel;
}

/** Puts stacks and a directory together. */
export function accessModel(configs: readonly StackConfig[], read: DirectorySnapshot, { now, like }: AccessModelOptions): AccessModel {
  let directory = read;
  const references = configs.map((config) => {
    const found = new References(config, read);
    directory = withDeclaredGroups(directory, config, found);
    return found;
  });
  const apps = configs.flatMap((config, index) => appsOf(config, read, references[index] as References));
  if (like === undefined) return { apps, directory, memberships: new Memberships(directory, now) };
  const changed = changedGroups(directory, like.directory);
  return {
    apps,
    directory,
    memberships: new Memberships(directory, now, { from: like.memberships, same: ({ record }) => !changed.has(record.id) }),
  };
}

/** The groups whose members can differ: those that are described otherwise, and those that hold or ask one of them. */
function changedGroups(directory: DirectorySnapshot, before: DirectorySnapshot): ReadonlySet<string> {
  const then = new Map(before.groups.map((group) => [group.id, group]));
  const changed = new Set<string>();
  for (const group of directory.groups) {
    const other = then.get(group.id);
    if (
      other !== group &&
      JSON.stringify([group.members, group.rule, group.unified]) !== JSON.stringify(other && [other.members, other.rule, other.unified])
    )
      changed.add(group.id);
    then.delete(group.id);
  }
  for (const id of then.keys()) changed.add(id);
  if (changed.size === 0) return changed;
  const askedBy = new Map<string, string[]>();
  const note = (asked: string, by: string): void => void askedBy.set(asked, [...(askedBy.get(asked) ?? []), by]);
  const ids = new Set(directory.groups.map(({ id }) => id));
  for (const { id, members, rule } of directory.groups) {
    if (rule === undefined) for (const member of members) if (ids.has(member)) note(member, id);
    for (const [asked] of rule?.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi) ?? []) note(asked.toLowerCase(), id);
  }
  for (const id of changed) for (const by of askedBy.get(id) ?? []) changed.add(by);
  return changed;
}
