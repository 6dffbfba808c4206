import { omitUndefined } from '../../core/values/omit-undefined.js';
import { followPages, type Page } from '../../clients/common/paging.js';
import { parseMembershipRule } from '../../kinds/membership-rule/index.js';
import type { SeedEntry } from '../../services/common/seed.js';
import { directoryAppId } from '../../services/directory/service-principals/well-known-permissions.js';
import { isDynamic } from '../../services/directory/groups/group-kinds.js';
import { directoryFromSeed } from './from-seed.js';
import { grantsGroupReading } from './group-read-permissions.js';
import type { DirectorySnapshot } from './records.js';
import { userPropertiesInRule } from './directory-scope.js';

/** Sends a `GET` request to a directory service, with a path below `/v1.0`; undefined for a 404. */
export type DirectoryGet = <T>(path: string) => Promise<T | undefined>;

/** What to read: one person, and the groups and registration of the app to sign in to. */
export interface PersonScope {
  /** The id or user principal name. */
  readonly person: string;
  /** Ids of the allowed groups. */
  readonly groups: readonly string[];
  /** The client id of the registration that the person signs in with. */
  readonly clientId: string;
  readonly tenantId: string;
}

/** Iterates over the pages of a listing. @param path below `/v1.0` */
export function pagesOfDirectory<T>(get: DirectoryGet, path: string): AsyncGenerator<Page<T>> {
  return followPages(path, (address) => get<Page<T>>(address.replace(/^.*?\/v1\.0(?=\/)/, '')));
}

/**
 * Reads the directory's data about one person: the account, its groups, the allowed groups with
 * nested ones, and the registration. Takes a few requests for a directory of any size; other
 * members are left out.
 */
export async function readPerson(
  get: DirectoryGet,
  { person, groups: groupIds, clientId, tenantId }: PersonScope,
): Promise<DirectorySnapshot> {
  const list = async (path: string): Promise<readonly SeedEntry[]> => {
    const entries: SeedEntry[] = [];
    for await (const { value } of pagesOfDirectory<SeedEntry>(get, path)) entries.push(...value);
    return entries;
  };
  const userPath = `/users/${encodeURIComponent(person)}`;
  // directory roles, of which people are members, too, have no mailNickname
  const memberOf = await list(`${userPath}/memberOf`);
  const ownGroups = new Map(
    memberOf.flatMap((each) =>
      each['mailNickname'] === undefined ? [] : [[String(each['id']), each] as const],
    ),
  );
  const groups = new Map<string, SeedEntry>();
  const queue = new Set(groupIds);
  for (const id of queue) {
    const group = ownGroups.get(id) ?? (await get<SeedEntry>(`/groups/${encodeURIComponent(id)}`));
    if (group === undefined) continue;
    const rule = isDynamic(group)
      ? parseMembershipRule(String(group['membershipRule'])).rule
      : undefined;
    if (rule?.kind === 'memberOf') for (const source of rule.groupIds) queue.add(source);
    const nestedGroups =
      rule === undefined
        ? await list(`/groups/${encodeURIComponent(id)}/members/microsoft.graph.group?$select=id`)
        : [];
    const members = nestedGroups.map((each) => String(each['id']));
    for (const each of members) queue.add(each);
    groups.set(id, { ...group, members: ownGroups.has(id) ? [person, ...members] : members });
  }
  for (const [id, group] of ownGroups)
    if (!groups.has(id)) groups.set(id, { ...group, members: [person] });
  const rules = [...groups.values()].flatMap(
    (group) => parseMembershipRule(String(group['membershipRule'] ?? '')).rule ?? [],
  );
  const fields = [
    'id',
    'displayName',
    'userPrincipalName',
    'mail',
    'userType',
    'accountEnabled',
    ...rules.flatMap(userPropertiesInRule),
  ];
  const account = await get<SeedEntry>(`${userPath}?$select=${[...new Set(fields)].join(',')}`);
  const manager = rules.some(({ kind }) => kind === 'directReports')
    ? await get<SeedEntry>(`${userPath}/manager?$select=id`)
    : undefined;
  const filter = `$filter=appId%20eq%20'${clientId}'`;
  const applications = await list(`/applications?${filter}`);
  const principals = await list(`/servicePrincipals?${filter}`);
  const servicePrincipals = await Promise.all(
    principals.map(async (each) => ({
      ...each,
      appRoleAssignedTo: await list(`/servicePrincipals/${String(each['id'])}/appRoleAssignedTo`),
    })),
  );
  const grants = await Promise.all(
    principals.map(({ id }) => list(`/servicePrincipals/${String(id)}/appRoleAssignments`)),
  );
  const grantingPrincipals = grants
    .flat()
    .filter(({ appRoleId }) => grantsGroupReading(String(appRoleId)))
    .map(({ resourceId, ...grant }) => ({
      id: resourceId,
      appId: directoryAppId,
      appRoleAssignedTo: [grant],
    }));
  const users =
    account === undefined ? [] : [{ ...account, ...omitUndefined({ manager: manager?.['id'] }) }];
  return directoryFromSeed(
    [
      {
        users,
        groups: [...groups.values()],
        applications,
        servicePrincipals: [...servicePrincipals, ...grantingPrincipals],
      },
    ],
    'the directory',
    tenantId,
  );
}
