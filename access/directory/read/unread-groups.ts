import type { DirectoryClient, DirectoryObject } from '../../../clients/directory/index.js';
import type { MembershipRule } from '../../../kinds/membership-rule/index.js';
import type { SeedEntry } from '../../../services/common/seed.js';
import { compileMembershipRule } from '../../../services/directory/membership-rule/index.js';
import { type GroupCounts, maxGroupsInToken } from '../../token-claims.js';
import { directoryFromSeed } from '../from-seed.js';
import { pageSize } from './collected-principals.js';

/** How many people's groups are requested concurrently. */
const concurrency = 8;

/** What was read of a directory, and the rules of its groups. */
export interface DirectoryPart {
  readonly users: readonly SeedEntry[];
  /** The groups that were read, by id. */
  readonly groups: ReadonlyMap<string, SeedEntry>;
  readonly rules: readonly MembershipRule[];
  /** The current time in milliseconds since 1970, for rules. */
  readonly now: number;
}

/**
 * Counts, for the people in the groups that were read, the groups that were not: the token of
 * somebody in too many groups names none.
 *
 * @returns the counts by the ids of people; empty where the directory has too few groups for that
 */
export async function countUnreadGroups(
  client: DirectoryClient,
  part: DirectoryPart,
): Promise<Readonly<Record<string, GroupCounts>>> {
  const counts: Record<string, GroupCounts> = {};
  if (!(await hasManyGroups(client))) return counts;
  const ids = idsOfPossibleMembers(part);
  while (ids.length > 0)
    await Promise.all(
      ids.splice(0, concurrency).map(async (id) => {
        const count = await countUnreadGroupsOf(client, id, part.groups);
        if (count.all > 0) counts[id] = count;
      }),
    );
  return counts;
}

async function hasManyGroups(client: DirectoryClient): Promise<boolean> {
  let count = 0;
  for await (const _group of client.groups.list({ select: ['id'], pageSize }))
    if (++count > maxGroupsInToken) return true;
  return false;
}

/** The ids of people whom a group lists or a membership rule matches. */
function idsOfPossibleMembers({ users, groups, rules, now }: DirectoryPart): string[] {
  const listed = new Set(
    [...groups.values()].flatMap(({ members }) => (members as string[] | undefined) ?? []),
  );
  const compiled = rules
    .filter(({ kind, subject }) => kind !== 'memberOf' && subject === 'user')
    .map(compileMembershipRule);
  return directoryFromSeed([{ users }], '')
    .people.filter(
      (person) =>
        listed.has(person.id) ||
        compiled.some((rule) => rule.matches(person, { now, managerId: person.managerId })),
    )
    .map(({ id }) => id);
}

async function countUnreadGroupsOf(
  client: DirectoryClient,
  id: string,
  readGroups: ReadonlyMap<string, SeedEntry>,
): Promise<GroupCounts> {
  let [all, security] = [0, 0];
  const query = { select: ['id', 'securityEnabled'], pageSize };
  const memberships: AsyncIterable<DirectoryObject & { securityEnabled?: boolean | null }> =
    client.users.transitiveMemberOf.list(id, query);
  for await (const each of memberships) {
    if (each['@odata.type']?.endsWith('.group') !== true || readGroups.has(each.id)) continue;
    all++;
    if (each.securityEnabled === true) security++;
  }
  return { all, security };
}
