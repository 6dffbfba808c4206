import type { Insertable } from 'kysely';
import { isObject } from '../../core/values/is-object.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedEntry, SeedSection } from '../common/seed.js';
import { workspaceRoles } from './access/roles.js';
import { isUuid } from './http/checks.js';
import { type ItemsDatabase, type ItemsTables, nameKey } from './store/tables.js';

/** Applies this service's lists of a seed; existing ids are skipped. */
export async function seedItems(db: ItemsDatabase, section: SeedSection): Promise<void> {
  await seedPrincipals(db, section);
  for (const [index, entry] of (section.capacities ?? []).entries()) {
    const at = `capacities[${index}]`;
    const values = {
      id: idOf(entry, at),
      display_name: text(entry, 'displayName', at, idOf(entry, at)),
      sku: text(entry, 'sku', at, 'F64'),
      region: text(entry, 'region', at, 'West Europe'),
      state: text(entry, 'state', at, 'Active'),
    };
    await keep(db, 'items_capacity', values);
  }
  for (const [list, table] of [
    ['tags', 'items_tag'],
    ['sensitivityLabels', 'items_label'],
  ] as const)
    for (const [index, entry] of (section[list] ?? []).entries()) {
      const at = `${list}[${index}]`;
      const values = {
        id: idOf(entry, at),
        display_name: text(entry, 'displayName', at, idOf(entry, at)),
      };
      await keep(db, table, values);
    }
  for (const [index, entry] of (section.workspaces ?? []).entries())
    await seedWorkspace(db, entry, `workspaces[${index}]`);
}

async function seedWorkspace(db: ItemsDatabase, entry: SeedEntry, at: string): Promise<void> {
  const id = idOf(entry, at);
  const displayName = text(entry, 'displayName', at);
  const capacityId = entry['capacityId'] ?? null;
  if (capacityId !== null && !isUuid(capacityId)) throw invalid(`${at}.capacityId must be a UUID`);
  const values = {
    id,
    display_name: displayName,
    name_key: nameKey(displayName),
    description: text(entry, 'description', at, ''),
    type: text(entry, 'type', at, 'Workspace'),
    capacity_id: capacityId?.toLowerCase() ?? null,
    item_count: 0,
    identity_application_id: null,
    identity_principal_id: null,
  };
  const roles = rolesOf(entry, id, at);
  await db.transaction().execute(async (transaction) => {
    const there = await transaction
      .selectFrom('items_workspace')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (there) return;
    await transaction.insertInto('items_workspace').values(values).execute();
    if (roles.length > 0) await transaction.insertInto('items_role').values(roles).execute();
  });
}

function rolesOf(
  entry: SeedEntry,
  workspaceId: string,
  at: string,
): { workspace_id: string; principal_id: string; principal_type: string; role: string }[] {
  const assignments: unknown = entry['roleAssignments'] ?? [];
  if (!Array.isArray(assignments)) throw invalid(`${at}.roleAssignments must be a list`);
  return assignments.map((assignment: unknown, index) => {
    const here = `${at}.roleAssignments[${index}]`;
    const principal = isObject(assignment) ? assignment['principal'] : undefined;
    if (!isObject(assignment) || !isObject(principal) || !isUuid(principal['id']))
      throw invalid(`${here} must be {principal: {id, type}, role} with a UUID`);
    const role = workspaceRoles.find((word) => word === assignment['role']);
    if (role === undefined)
      throw invalid(`${here}.role must be one of ${workspaceRoles.join(', ')}`);
    const type = typeof principal['type'] === 'string' ? principal['type'] : 'User';
    return {
      workspace_id: workspaceId,
      principal_id: principal['id'].toLowerCase(),
      principal_type: type,
      role,
    };
  });
}

function idOf(entry: SeedEntry, at: string): string {
  if (!isUuid(entry['id'])) throw invalid(`${at}.id must be a UUID`);
  return entry['id'].toLowerCase();
}

function text(entry: SeedEntry, name: string, at: string, otherwise?: string): string {
  const value = entry[name] ?? otherwise;
  if (typeof value !== 'string') throw invalid(`${at}.${name} must be a string`);
  return value;
}

function invalid(message: string): CastellanError {
  return new CastellanError('CAS4002', message);
}

/** Stores the names of people, applications and groups, and the members of groups. */
async function seedPrincipals(db: ItemsDatabase, section: SeedSection): Promise<void> {
  const groupType = (group: SeedEntry): string =>
    group['securityEnabled'] === true
      ? 'SecurityGroup'
      : group['mailEnabled'] === true
        ? 'DistributionList'
        : 'Unknown';
  const principals = [
    ...(section.users ?? []).map((user) => ({
      entry: user,
      type: 'User',
      detail: user['userPrincipalName'],
    })),
    ...(section.servicePrincipals ?? []).map((app) => ({
      entry: app,
      type: 'ServicePrincipal',
      detail: app['appId'],
    })),
    ...(section.groups ?? []).map((group) => ({
      entry: group,
      type: 'Group',
      detail: groupType(group),
    })),
  ];
  for (const { entry, type, detail } of principals) {
    // An entry without an id is for the directory only: no token and no role can refer to it here.
    if (!isUuid(entry['id'])) continue;
    const id = entry['id'].toLowerCase();
    const name = typeof entry['displayName'] === 'string' ? entry['displayName'] : id;
    const values = {
      id,
      type,
      display_name: name,
      detail: typeof detail === 'string' ? detail : '',
    };
    await keep(db, 'items_principal', values);
  }
  await seedMembers(db, section);
}

async function seedMembers(db: ItemsDatabase, section: SeedSection): Promise<void> {
  const byName = new Map(
    (section.users ?? []).map((user) => [
      String(user['userPrincipalName']).toLowerCase(),
      user['id'],
    ]),
  );
  for (const group of section.groups ?? []) {
    const members = membersOf(group)
      .map((member): unknown => byName.get(member.toLowerCase()) ?? member)
      .filter(isUuid);
    if (!isUuid(group['id']) || members.length === 0) continue;
    const groupId = group['id'].toLowerCase();
    await keep(
      db,
      'items_group_member',
      members.map((member) => ({ group_id: groupId, member_id: member.toLowerCase() })),
    );
  }
}

/** Parses ids, user principal names, addresses that end with either, or objects with an id. */
function membersOf(group: SeedEntry): readonly string[] {
  const listed = group['members'] ?? group['members@odata.bind'] ?? [];
  return (Array.isArray(listed) ? (listed as unknown[]) : [])
    .map((each) => (isObject(each) ? each['id'] : each))
    .filter((each) => typeof each === 'string')
    .map((each) => each.split('/').at(-1) ?? '');
}

/** Inserts what isn't there yet. */
async function keep<Table extends keyof ItemsTables>(
  db: ItemsDatabase,
  table: Table,
  values: Insertable<ItemsTables[Table]> | Insertable<ItemsTables[Table]>[],
): Promise<void> {
  const insertion = db.insertInto(table).values(values);
  await insertion.onConflict((conflict) => conflict.doNothing()).execute();
}
