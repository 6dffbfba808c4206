import type { Fragment } from '../store/sql.js';
import { sql } from 'kysely';
import { hasPermission, hasRole } from '../authorization/access.js';
import { administratorRoles } from '../authorization/directory-roles.js';
import { hidesMembership } from '../groups/group-kinds.js';
import type { DirectoryRequest } from '../http/request.js';
import type { ReadContext } from '../kernel/object-type.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Stores } from '../store/stores.js';
import { relationNumbers } from '../store/links.js';
import type { Relation } from '../store/relations.js';
import { jsonValue } from '../odata/index.js';

/**
 * Whether the caller sees the members of every group and unit with HiddenMembership: users with
 * certain roles, and applications with a permission for them.
 */
export function canSeeHiddenMembers({ caller }: Pick<ReadContext, 'caller'>): boolean {
  if (caller.kind === 'user')
    return hasRole(caller, ...administratorRoles, 'globalReader', 'directoryWriters');
  return hasPermission(caller, 'Member.Read.Hidden', 'Directory.ReadWrite.All');
}

/**
 * The types whose members can be hidden, with the relations that let an object see them, and the
 * permission with which applications that manage them do.
 */
const typesWithHiddenMembers: Readonly<
  Record<
    string,
    { readonly viewerRelations: readonly Relation[]; readonly managerPermission?: string }
  >
> = {
  group: { viewerRelations: ['members', 'owners'] },
  administrativeUnit: {
    viewerRelations: ['unitMembers'],
    managerPermission: 'AdministrativeUnit.ReadWrite.All',
  },
};

/** Whether the caller is an application that manages all containers of a type. */
function managesAllOfType({ caller }: Pick<ReadContext, 'caller'>, type: string): boolean {
  const permission = typesWithHiddenMembers[type]?.managerPermission;
  return caller.kind === 'application' && permission !== undefined && caller.roles.has(permission);
}

/**
 * The SQL condition that the caller may see the membership of an object in the group or unit `o`. A
 * membership in one with HiddenMembership is visible only to the member, the others in it, the
 * owners of a group, and administrators.
 *
 * @param member the object.
 * @returns undefined if the caller sees all of them.
 */
export async function visibleMembershipsCondition(
  request: ReadContext,
  member: StoredObject,
): Promise<Fragment | undefined> {
  const { caller, directory } = request;
  if (
    canSeeHiddenMembers(request) ||
    (caller.kind === 'user' && member.id === caller.objectId.toLowerCase())
  )
    return undefined;
  const self = caller.objectId === '' ? undefined : await directory.objects.get(caller.objectId);
  const types = Object.keys(typesWithHiddenMembers).filter(
    (type) => !managesAllOfType(request, type),
  );
  const visibleCondition = notHiddenCondition(directory, types);
  if (!self) return visibleCondition;
  const viewerRelations = Object.values(typesWithHiddenMembers).flatMap(
    (type) => type.viewerRelations,
  );
  return sql`(${visibleCondition} or exists (select 1 from directory_link own where own.source = o.number and own.target = ${self.number}
        and own.relation in (${relationNumbers(viewerRelations)})))`;
}

/** Whether the caller sees the members of a group or an administrative unit. */
export async function canSeeMembers(
  request: ReadContext,
  container: StoredObject,
): Promise<boolean> {
  if (!hidesMembership(container.body) || canSeeHiddenMembers(request)) return true;
  if (managesAllOfType(request, container.type)) return true;
  const { caller, directory } = request;
  const self = caller.objectId === '' ? undefined : await directory.objects.get(caller.objectId);
  if (self === undefined) return false;
  for (const relation of typesWithHiddenMembers[container.type]?.viewerRelations ?? [])
    if (await directory.links.has(container, relation, self)) return true;
  return false;
}

/** Whether the caller may see more of an object that another one leads to than its type and id. */
export function mayRead(
  { caller, directory }: DirectoryRequest,
  { type, body }: { type: string; body: Body | string },
): boolean {
  if (caller.kind === 'unrestricted') return true;
  if (!hasPermission(caller, ...directory.types.get(type).readPermissions)) return false;
  return (
    !caller.isGuest ||
    type !== 'group' ||
    !hidesMembership(typeof body === 'string' ? (JSON.parse(body) as Body) : body)
  );
}

/**
 * The SQL condition that the caller may see more of the object `o` than its type and id, as
 * {@link mayRead} tells it of one object.
 *
 * @returns undefined if the caller may read every object.
 */
export function readableCondition({ caller, directory }: DirectoryRequest): Fragment | undefined {
  if (caller.kind === 'unrestricted') return undefined;
  const types = [...directory.types.all()];
  const readableTypes = types.filter((type) => hasPermission(caller, ...type.readPermissions));
  if (readableTypes.length === 0) return sql`1 = 0`;
  const readableTypeCondition = sql`o.type in (${sql.join(readableTypes.map(({ name }) => name))})`;
  if (caller.isGuest)
    return sql`${readableTypeCondition} and ${notHiddenCondition(directory, ['group'])}`;
  return readableTypes.length < types.length ? readableTypeCondition : undefined;
}

/** The SQL condition that the object `o` is none of these types with hidden membership. */
function notHiddenCondition(
  { sql: { engine } }: Pick<Stores, 'sql'>,
  types: readonly string[],
): Fragment {
  const visibility = jsonValue(engine, sql`o.body`, ['visibility'], 'text');
  return sql`(o.type not in (${sql.join(types.map((type) => sql.lit(type)))}) or lower(coalesce(${visibility}, '')) <> 'hiddenmembership')`;
}
