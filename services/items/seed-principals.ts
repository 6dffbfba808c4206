import type { SeedEntry, SeedSection } from '../common/seed.js';
import { isJsonObject, isUuid } from './http/body.js';
import type { ItemsDatabase } from './store/tables.js';

/** Keeps the names of people, applications and groups, and who is in which group. */
export async function seedPrincipals(db: ItemsDatabase, section: SeedSection): Promise<void> {
  const groupType = (group: SeedEntry): string =>
    group['securityEnabled'] === true ? 'SecurityGroup' : group['mailEnabled'] === true ? 'DistributionList' : 'Unknown';
  const principals = [
    ...(section.users ?? []).map((user) => ({ entry: user, type: 'User', detail: user['userPrincipalName'] })),
    ...(section.servicePrincipals ?? []).map((app) => ({ entry: app, type: 'ServicePrincipal', detail: app['appId'] })),
    ...(section.groups ?? []).map((group) => ({ entry: group, type: 'Group', detail: groupType(group) })),
  ];
  for (const { entry, type, detail } of principals) {
    // Without an id it is the directory's alone: no token and no role can name it here.
    if (!isUuid(entry['id'])) continue;
    const id = entry['id'].toLowerCase();
    const name = typeof entry['displayName'] === 'string' ? entry['displayName'] : id;
    const values = { id, type, display_name: name, detail: typeof detail === 'string' ? detail : '' };
    await db
      .insertInto('items_principal')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await seedMembers(db, section);
}

async function seedMembers(db: ItemsDatabase, section: SeedSection): Promise<void> {
  const byName = new Map((section.users ?? []).map((user) => [String(user['userPrincipalName']).toLowerCase(), user['id']]));
  for (const group of section.groups ?? []) {
    const members = membersOf(group)
      .map((member): unknown => byName.get(member.toLowerCase()) ?? member)
      .filter(isUuid);
    if (!isUuid(group['id']) || members.length === 0) continue;
    const groupId = group['id'].toLowerCase();
    await db
      .insertInto('items_group_member')
      .values(members.map((member) => ({ group_id: groupId, member_id: member.toLowerCase() })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Ids, user principal names, addresses that end with either, or objects with an id. */
function membersOf(group: SeedEntry): readonly string[] {
  const listed = group['members'] ?? group['members@odata.bind'] ?? [];
  return (Array.isArray(listed) ? (listed as unknown[]) : [])
    .map((each) => (isJsonObject(each) ? each['id'] : each))
    .filter((each) => typeof each === 'string')
    .map((each) => each.split('/').at(-1) ?? '');
}
