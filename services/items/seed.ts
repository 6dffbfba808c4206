import type { Insertable } from 'kysely';
import { isObject } from '../../core/values/is-object.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedEntry, SeedLists } from '../common/seed.js';
import { workspaceRoles } from './access/workspace-access.js';
import { isGuid } from '../../core/values/guid.js';
import {
  type ItemsDatabase,
  type ItemsTables,
  mapUniqueViolation,
  nameKey,
} from './store/tables.js';

/** Applies this service's lists of a seed; existing ids are skipped. */
export async function seedItems(db: ItemsDatabase, seedLists: SeedLists): Promise<void> {
  await seedPrincipals(db, seedLists);
  for (const [index, entry] of (seedLists.capacities ?? []).entries()) {
    const entryPath = `capacities[${index}]`;
    const values = {
      id: uuidProperty(entry, entryPath),
      display_name: stringProperty(entry, 'displayName', entryPath, uuidProperty(entry, entryPath)),
      sku: stringProperty(entry, 'sku', entryPath, 'F64'),
      region: stringProperty(entry, 'region', entryPath, 'West Europe'),
      state: stringProperty(entry, 'state', entryPath, 'Active'),
    };
    await insertIfAbsent(db, 'items_capacity', values);
  }
  for (const [list, table] of [
    ['tags', 'items_tag'],
    ['sensitivityLabels', 'items_label'],
  ] as const)
    for (const [index, entry] of (seedLists[list] ?? []).entries()) {
      const entryPath = `${list}[${index}]`;
      const values = {
        id: uuidProperty(entry, entryPath),
        display_name: stringProperty(
          entry,
          'displayName',
          entryPath,
          uuidProperty(entry, entryPath),
        ),
      };
      await insertIfAbsent(db, table, values);
    }
  for (const [index, entry] of (seedLists.workspaces ?? []).entries())
    await seedWorkspace(db, entry, `workspaces[${index}]`);
}

async function seedWorkspace(
  db: ItemsDatabase,
  entry: SeedEntry,
  entryPath: string,
): Promise<void> {
  const id = uuidProperty(entry, entryPath);
  const displayName = stringProperty(entry, 'displayName', entryPath);
  const capacityId = entry['capacityId'] ?? null;
  if (capacityId !== null && !isGuid(capacityId))
    throw invalidSeed(`${entryPath}.capacityId must be a UUID`);
  const values = {
    id,
    display_name: displayName,
    name_key: nameKey(displayName),
    description: stringProperty(entry, 'description', entryPath, ''),
    type: stringProperty(entry, 'type', entryPath, 'Workspace'),
    capacity_id: capacityId?.toLowerCase() ?? null,
    item_count: 0,
    identity_application_id: null,
    identity_principal_id: null,
  };
  const roles = roleRows(entry, id, entryPath);
  const creation = db.transaction().execute(async (transaction) => {
    const existing = await transaction
      .selectFrom('items_workspace')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (existing) return;
    await transaction.insertInto('items_workspace').values(values).execute();
    if (roles.length > 0) await transaction.insertInto('items_role').values(roles).execute();
  });
  await mapUniqueViolation(creation, () =>
    invalidSeed(
      `${entryPath}.displayName "${displayName}" is that of another workspace; letter case does not distinguish names`,
    ),
  );
}

function roleRows(
  entry: SeedEntry,
  workspaceId: string,
  entryPath: string,
): { workspace_id: string; principal_id: string; principal_type: string; role: string }[] {
  const assignments: unknown = entry['roleAssignments'] ?? [];
  if (!Array.isArray(assignments)) throw invalidSeed(`${entryPath}.roleAssignments must be a list`);
  const seenPrincipalIds = new Set<string>();
  return assignments.map((assignment: unknown, index) => {
    const assignmentPath = `${entryPath}.roleAssignments[${index}]`;
    const principal = isObject(assignment) ? assignment['principal'] : undefined;
    if (!isObject(assignment) || !isObject(principal) || !isGuid(principal['id']))
      throw invalidSeed(`${assignmentPath} must be {principal: {id, type}, role} with a UUID`);
    const role = workspaceRoles.find((word) => word === assignment['role']);
    if (role === undefined)
      throw invalidSeed(`${assignmentPath}.role must be one of ${workspaceRoles.join(', ')}`);
    const type = typeof principal['type'] === 'string' ? principal['type'] : 'User';
    const principalId = principal['id'].toLowerCase();
    if (seenPrincipalIds.has(principalId))
      throw invalidSeed(
        `${assignmentPath}.principal.id ${principalId} has a role above: give each principal one`,
      );
    seenPrincipalIds.add(principalId);
    return {
      workspace_id: workspaceId,
      principal_id: principalId,
      principal_type: type,
      role,
    };
  });
}

function uuidProperty(entry: SeedEntry, entryPath: string): string {
  if (!isGuid(entry['id'])) throw invalidSeed(`${entryPath}.id must be a UUID`);
  return entry['id'].toLowerCase();
}

function stringProperty(
  entry: SeedEntry,
  name: string,
  entryPath: string,
  fallback?: string,
): string {
  const value = entry[name] ?? fallback;
  if (typeof value !== 'string') throw invalidSeed(`${entryPath}.${name} must be a string`);
  return value;
}

function invalidSeed(message: string): CastellanError {
  return new CastellanError('CAS4002', message);
}

function groupType(group: SeedEntry): string {
  if (group['securityEnabled'] === true) return 'SecurityGroup';
  return group['mailEnabled'] === true ? 'DistributionList' : 'Unknown';
}

/** Stores the names of people, applications and groups, and the members of groups. */
async function seedPrincipals(db: ItemsDatabase, seedLists: SeedLists): Promise<void> {
  const principals = [
    ...(seedLists.users ?? []).map((user) => ({
      entry: user,
      type: 'User',
      detail: user['userPrincipalName'],
    })),
    ...(seedLists.servicePrincipals ?? []).map((app) => ({
      entry: app,
      type: 'ServicePrincipal',
      detail: app['appId'],
    })),
    ...(seedLists.groups ?? []).map((group) => ({
      entry: group,
      type: 'Group',
      detail: groupType(group),
    })),
  ];
  for (const { entry, type, detail } of principals) {
    // An entry without an id is for the directory only: no token and no role can refer to it here.
    if (!isGuid(entry['id'])) continue;
    const id = entry['id'].toLowerCase();
    const name = typeof entry['displayName'] === 'string' ? entry['displayName'] : id;
    const values = {
      id,
      type,
      display_name: name,
      detail: typeof detail === 'string' ? detail : '',
    };
    await insertIfAbsent(db, 'items_principal', values);
  }
  await seedMembers(db, seedLists);
}

async function seedMembers(db: ItemsDatabase, seedLists: SeedLists): Promise<void> {
  const userIdByPrincipalName = new Map(
    (seedLists.users ?? []).map((user) => [
      String(user['userPrincipalName']).toLowerCase(),
      user['id'],
    ]),
  );
  for (const group of seedLists.groups ?? []) {
    const members = memberReferences(group)
      .map((member): unknown => userIdByPrincipalName.get(member.toLowerCase()) ?? member)
      .filter(isGuid);
    if (!isGuid(group['id']) || members.length === 0) continue;
    const groupId = group['id'].toLowerCase();
    await insertIfAbsent(
      db,
      'items_group_member',
      members.map((member) => ({ group_id: groupId, member_id: member.toLowerCase() })),
    );
  }
}

/** Parses ids, user principal names, addresses that end with either, or objects with an id. */
function memberReferences(group: SeedEntry): readonly string[] {
  const listed = group['members'] ?? group['members@odata.bind'] ?? [];
  return (Array.isArray(listed) ? (listed as unknown[]) : [])
    .map((each) => (isObject(each) ? each['id'] : each))
    .filter((each) => typeof each === 'string')
    .map((each) => each.split('/').at(-1) ?? '');
}

/** Inserts rows; those whose key exists are skipped. */
async function insertIfAbsent<Table extends keyof ItemsTables>(
  db: ItemsDatabase,
  table: Table,
  values: Insertable<ItemsTables[Table]> | Insertable<ItemsTables[Table]>[],
): Promise<void> {
  const insertion = db.insertInto(table).values(values);
  await insertion.onConflict((conflict) => conflict.doNothing()).execute();
}
