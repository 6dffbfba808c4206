import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/values/is-object.js';
import { type Access, permit, requireRole } from '../authorization/access.js';
import { requireGroupManager } from '../groups/find-group.js';
import { addMembers, addOwners } from '../groups/member-routes.js';
import {
  badRequest,
  accessDenied,
  DirectoryError,
  objectNotFound,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { itemOperations } from '../kernel/item-operations.js';
import { each, type QueryRules } from '../odata/property-rules.js';
import { roleWriters } from '../roles/directory-roles.js';
import { assignRole, unassignRole } from '../roles/role-assignments.js';
import { findDefinition } from '../roles/role-definitions.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';
import { requireObject } from '../kernel/single.js';
import { periodOf, readSchedule, canonicalWord } from './schedule-info.js';

/**
 * One kind of schedule, which requests create, change and end: an assignment, or an eligibility,
 * for a period.
 */
interface ScheduleKind {
  /** The singular path of the schedules, to which `s` and `Requests` are added. */
  readonly path: string;
  readonly read: Access;
  readonly write: Access;
  /** Assigns and removes while the schedule is active; absent for an eligibility. */
  readonly active?: { readonly give: Change; readonly take: Change };
  /** The eligibility schedules whose principals may activate themselves. */
  readonly eligible?: ScheduleKind;
  /**
   * The principal and the object of a request, after checking that they exist. @throws
   * DirectoryError 400, 403, 404.
   */
  readonly grant: (request: DirectoryRequest, body: Body, own: boolean) => Promise<Body>;
}

/** Applies what a schedule assigns or removes. */
type Change = (directory: Directory, grant: Body) => Promise<unknown>;

const ofGroups = (name: 'assignment' | 'eligibility'): ScheduleKind => {
  const permission = `Privileged${name === 'assignment' ? 'Assignment' : 'Eligibility'}Schedule`;
  return {
    path: `/identityGovernance/privilegedAccess/group/${name}Schedule`,
    read: permit(['Read', 'ReadWrite'].map((may) => `${permission}.${may}.AzureADGroup`)),
    write: permit([`${permission}.ReadWrite.AzureADGroup`]),
    grant: groupGrant,
  };
};
const ofRoles = (name: 'Assignment' | 'Eligibility', active?: true): ScheduleKind => ({
  path: `/roleManagement/directory/role${name}Schedule`,
  read: permit([
    ...[`Role${name}Schedule.Read.Directory`, `Role${name}Schedule.ReadWrite.Directory`],
    ...[
      'RoleManagement.Read.Directory',
      'RoleManagement.ReadWrite.Directory',
      'RoleManagement.Read.All',
    ],
  ]),
  // Principals who request access for themselves need no role: `grant` checks their eligibility.
  write: permit(
    [`Role${name}Schedule.ReadWrite.Directory`, 'RoleManagement.ReadWrite.Directory'],
    active ? {} : { roles: roleWriters },
  ),
  grant: roleGrant,
});
const eligibilities = ofGroups('eligibility');
const assignments: ScheduleKind = {
  ...ofGroups('assignment'),
  active: { give: enterGroup, take: leaveGroup },
  eligible: eligibilities,
};
const roleEligibilities = ofRoles('Eligibility');
const roleAssignments: ScheduleKind = {
  ...ofRoles('Assignment', true),
  active: { give: assignRole, take: unassignRole },
  eligible: roleEligibilities,
};
const kinds = [assignments, eligibilities, roleAssignments, roleEligibilities];

const actions = [
  'adminAssign',
  'adminUpdate',
  'adminExtend',
  'adminRenew',
  'adminRemove',
  'selfActivate',
  'selfDeactivate',
] as const;

const text = { type: 'string', default: ['eq', 'ne', 'in'] } as const;
const instant = { type: 'date', default: ['eq', 'ge', 'le'], orderby: 'default' } as const;
const rules: QueryRules = {
  resource: 'PrivilegedAccessSchedule',
  properties: {
    ...each(
      text,
      'id',
      'groupId',
      'accessId',
      'principalId',
      'roleDefinitionId',
      'directoryScopeId',
      'targetScheduleId',
    ),
    ...each(text, 'createdUsing', 'status', 'action', 'memberType', 'assignmentType'),
    ...each(
      text,
      'assignmentScheduleId',
      'eligibilityScheduleId',
      'roleAssignmentScheduleId',
      'roleEligibilityScheduleId',
    ),
    createdDateTime: instant,
    completedDateTime: instant,
  },
};

/**
 * Time-limited membership in groups and directory roles: requests are stored, create schedules, and
 * the schedules expire.
 */
export function scheduleRoutes(router: Router, directory: Directory): void {
  for (const kind of kinds) {
    const { path, read, write } = kind;
    itemOperations(router, { path: `${path}s`, collection: `${path}s`, rules, read, write });
    const running = async (): Promise<Item[]> =>
      (await directory.items.list(`${path}s`, ''))
        .filter(({ body }) => body['status'] === 'Provisioned')
        .map((item) => instanceOf(kind, item));
    itemOperations(router, { path: `${path}Instances`, list: running, rules, read });
    const requests = `${path}Requests`;
    itemOperations(router, {
      path: requests,
      collection: requests,
      rules,
      read,
      write,
      create: (request, body) => ask(request, kind, body),
    });
    router.on('POST', `${requests}/{id}/cancel`, write, (request) => cancel(request, kind));
  }
  directory.objects.listen({
    removed: async ({ id }) =>
      dropWhere(directory, ({ groupId, principalId }) => groupId === id || principalId === id),
  });
  directory.links.listen(async ({ source, relation, target, removed }) => {
    if (!removed || !['members', 'owners', 'roleMembers'].includes(relation)) return;
    const ofRole = relation === 'roleMembers';
    const kind = ofRole ? roleAssignments : assignments;
    const part = ofRole
      ? { roleDefinitionId: source.body['roleTemplateId'], directoryScopeId: '/' }
      : { groupId: source.id, accessId: relation.slice(0, -1) };
    const schedule = await find(directory, kind, { ...part, principalId: target.id });
    if (schedule) await directory.items.remove(`${kind.path}s`, '', schedule.id);
  });
}

/** An active schedule in the form of its instance. */
function instanceOf({ path }: ScheduleKind, { id, body }: Item): Item {
  const {
    scheduleInfo,
    status: _status,
    createdDateTime: _created,
    modifiedDateTime: _modified,
    createdUsing: _using,
    ...grant
  } = body;
  const { from, to } = periodOf(scheduleInfo);
  const ends = to === Number.POSITIVE_INFINITY ? null : new Date(to).toISOString();
  return {
    id,
    body: {
      ...grant,
      startDateTime: new Date(from).toISOString(),
      endDateTime: ends,
      [`${path.split('/').at(-1) ?? ''}Id`]: id,
    },
  };
}

/** Activates the schedules whose start has passed, and ends those whose end has passed. */
export async function followSchedules(directory: Directory): Promise<void> {
  const now = directory.clock.now().getTime();
  for (const kind of kinds)
    for (const { id, body } of await directory.items.list(`${kind.path}s`, '')) {
      const { from, to } = periodOf(body['scheduleInfo']);
      if (to <= now) await directory.sql.write(() => drop(directory, kind, { id, body }));
      else if (body['status'] !== 'Provisioned' && from <= now)
        await directory.sql.write(async () => {
          await begin(directory, kind, body);
          await directory.items.replace(`${kind.path}s`, '', id, {
            ...body,
            status: 'Provisioned',
          });
        });
    }
}

/** Executes a request. Call in a transaction. @throws DirectoryError 400, 403, 404. */
async function ask(request: DirectoryRequest, kind: ScheduleKind, values: Body): Promise<Item> {
  const { directory, caller } = request;
  const action = canonicalWord(actions, values['action'], 'action');
  const own = action.startsWith('self');
  const grant = await kind.grant(request, values, own);
  if (own && (kind.eligible === undefined || grant['principalId'] !== caller.objectId))
    throw accessDenied('A part is activated and deactivated by the principal that it belongs to.');
  if (action === 'selfActivate' && kind.eligible && !(await find(directory, kind.eligible, grant)))
    throw badRequest(
      'The principal has no eligibility that could be activated.',
      'principalId',
      'RoleAssignmentDoesNotExist',
    );
  const fresh = action === 'adminAssign' || action === 'selfActivate';
  const ends = action === 'adminRemove' || action === 'selfDeactivate';
  const existing = await find(directory, kind, grant);
  if (fresh && existing)
    throw new DirectoryError(400, 'RoleAssignmentExists', 'The Role assignment already exists.');
  if (!fresh && !existing)
    throw new DirectoryError(
      404,
      'RoleAssignmentDoesNotExist',
      'The Role assignment does not exist.',
    );
  const id = randomUUID();
  const now = directory.clock.now();
  const scheduleInfo = ends ? null : readSchedule(values['scheduleInfo'], now);
  const later = scheduleInfo !== null && periodOf(scheduleInfo).from > now.getTime();
  const status = ends ? 'Revoked' : later ? 'ScheduleCreated' : 'Provisioned';
  const scheduleId =
    grant['groupId'] === undefined
      ? id
      : `${String(grant['groupId'])}_${String(grant['accessId'])}_${id}`;
  const { customData = null, justification = null, isValidationOnly = false } = values;
  const body: Body = {
    status,
    createdDateTime: now.toISOString(),
    completedDateTime: now.toISOString(),
    approvalId: null,
    customData,
    createdBy: senderOf(request),
    action,
    isValidationOnly,
    justification,
    scheduleInfo,
    ticketInfo: ticket(values['ticketInfo']),
    ...grant,
    targetScheduleId: ends ? (existing?.id ?? null) : scheduleId,
  };
  if (isValidationOnly === true) return { id, body };
  if (existing) await drop(directory, kind, existing, ends);
  if (!ends) {
    if (!later && (fresh || existing?.body['status'] !== 'Provisioned'))
      await begin(directory, kind, grant);
    await directory.items.put(`${kind.path}s`, '', scheduleId, {
      scheduleInfo,
      createdDateTime: body['createdDateTime'],
      modifiedDateTime: null,
      createdUsing: id,
      status,
      ...grant,
      memberType: 'Direct',
      ...(kind.active && { assignmentType: own ? 'Activated' : 'Assigned' }),
    });
  }
  const requests = `${kind.path}Requests`;
  const before = (await directory.items.list(requests, '')).length;
  return directory.items.put(requests, '', id, body, String(before).padStart(9, '0'));
}

function senderOf({ caller }: DirectoryRequest): Body {
  return {
    [caller.kind === 'user' ? 'user' : 'application']: { displayName: null, id: caller.objectId },
  };
}

/**
 * Cancels a request that has not started; allowed to its sender, and to those who could have sent
 * it.
 */
function cancel(request: DirectoryRequest, kind: ScheduleKind): Promise<Reply> {
  const { items } = request.directory;
  const id = request.parameter('id');
  return request.write(async () => {
    const item = await items.get(`${kind.path}Requests`, '', id);
    if (!item) throw objectNotFound(id);
    if (!isDeepStrictEqual(item.body['createdBy'], senderOf(request)))
      await kind.grant(request, item.body, false);
    const schedule = await items.get(`${kind.path}s`, '', String(item.body['targetScheduleId']));
    if (schedule?.body['status'] !== 'ScheduleCreated')
      throw badRequest('Only a request that is pending can be canceled.');
    await items.remove(`${kind.path}s`, '', schedule.id);
    await items.replace(`${kind.path}Requests`, '', id, { ...item.body, status: 'Canceled' });
  });
}

/** Membership or ownership of a group. */
async function groupGrant(request: DirectoryRequest, body: Body, own: boolean): Promise<Body> {
  const { groupId, principalId } = body;
  const accessId = canonicalWord(['owner', 'member'], body['accessId'], 'accessId');
  for (const [name, value] of Object.entries({ groupId, principalId }))
    if (typeof value !== 'string')
      throw badRequest(`A value is required for property '${name}'.`, name);
  const group = await requireObject(request.directory, String(groupId), 'group');
  if (!own) await requireGroupManager(request, group);
  return { accessId, principalId: (await principal(request, principalId)).id, groupId: group.id };
}

/** A directory role, over the whole directory or one object. */
async function roleGrant(request: DirectoryRequest, body: Body, own: boolean): Promise<Body> {
  if (!own) requireRole(request.caller, roleWriters);
  const { directoryScopeId = '/', roleDefinitionId, principalId } = body;
  const definition = await findDefinition(request.directory, String(roleDefinitionId));
  if (!definition)
    throw new DirectoryError(
      404,
      'RoleNotFound',
      `The role '${String(roleDefinitionId)}' is not found.`,
    );
  const { id } = await principal(request, principalId);
  return { principalId: id, roleDefinitionId: definition.id, directoryScopeId, appScopeId: null };
}

async function principal(
  { directory }: DirectoryRequest,
  id: unknown,
): Promise<{ readonly id: string }> {
  const object = typeof id === 'string' ? await directory.objects.get(id) : undefined;
  if (object && ['user', 'group', 'servicePrincipal'].includes(object.type)) return object;
  throw new DirectoryError(404, 'SubjectNotFound', `The subject '${String(id)}' is not found.`);
}

function ticket(info: unknown): Body {
  const { ticketNumber = null, ticketSystem = null } = isObject(info) ? info : {};
  return { ticketNumber, ticketSystem };
}

/** The schedule that a request names. */
function find(
  { items }: Directory,
  { path }: ScheduleKind,
  grant: Body,
): Promise<Item | undefined> {
  return items.findWith(`${path}s`, '', grant);
}

async function begin(directory: Directory, { active }: ScheduleKind, grant: Body): Promise<void> {
  await active?.give(directory, grant);
}

/** Deletes a schedule and removes its assignment, unless another schedule continues it. */
async function drop(
  directory: Directory,
  { path, active }: ScheduleKind,
  { id, body }: Item,
  leaves = true,
): Promise<void> {
  await directory.items.remove(`${path}s`, '', id);
  if (leaves) await active?.take(directory, body);
}

/** Adds the principal to the group. @throws DirectoryError as for a request to add a member. */
async function enterGroup(directory: Directory, grant: Body): Promise<void> {
  const [group, object] = await endsOf(directory, grant);
  if (group && object)
    await (grant['accessId'] === 'owner' ? addOwners : addMembers)(directory, group, [object]);
}

async function leaveGroup(directory: Directory, grant: Body): Promise<void> {
  const [group, object] = await endsOf(directory, grant);
  if (group && object)
    await directory.links.remove(
      group,
      grant['accessId'] === 'owner' ? 'owners' : 'members',
      object,
    );
}

function endsOf(
  { objects }: Directory,
  { groupId, principalId }: Body,
): Promise<readonly (StoredObject | undefined)[]> {
  return Promise.all([objects.get(String(groupId)), objects.get(String(principalId))]);
}

async function dropWhere(directory: Directory, applies: (body: Body) => boolean): Promise<void> {
  for (const kind of kinds)
    for (const item of await directory.items.list(`${kind.path}s`, ''))
      if (applies(item.body)) await drop(directory, kind, item);
}
