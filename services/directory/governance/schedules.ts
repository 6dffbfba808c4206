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
      create: (request, body) => executeRequest(request, kind, body),
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

/** A request about a schedule, after its checks. */
interface ScheduleRequest {
  readonly id: string;
  readonly action: (typeof actions)[number];
  readonly grant: Body;
  /** The schedule that it changes or ends. */
  readonly existing: Item | undefined;
  /** Absent where it ends a schedule. */
  readonly scheduleInfo: Body | null;
  readonly status: 'Revoked' | 'ScheduleCreated' | 'Provisioned';
  readonly createdDateTime: string;
}

const creates = (action: string): boolean => ['adminAssign', 'selfActivate'].includes(action);
const ends = (action: string): boolean => ['adminRemove', 'selfDeactivate'].includes(action);
const isOwn = (action: string): boolean => action.startsWith('self');

/** Executes a request. Call in a transaction. @throws DirectoryError 400, 403, 404. */
async function executeRequest(
  request: DirectoryRequest,
  kind: ScheduleKind,
  values: Body,
): Promise<Item> {
  const checked = await checkRequest(request, kind, values);
  const scheduleId = idOfSchedule(checked);
  const targetScheduleId = ends(checked.action) ? (checked.existing?.id ?? null) : scheduleId;
  const body = { ...requestBody(request, checked, values), targetScheduleId };
  if (values['isValidationOnly'] === true) return { id: checked.id, body };
  await applyRequest(request.directory, kind, checked, scheduleId);
  return storeRequest(request.directory, kind, checked.id, body);
}

async function checkRequest(
  request: DirectoryRequest,
  kind: ScheduleKind,
  values: Body,
): Promise<ScheduleRequest> {
  const { directory } = request;
  const action = canonicalWord(actions, values['action'], 'action');
  const grant = await kind.grant(request, values, isOwn(action));
  if (isOwn(action)) await requireEligible(request, kind, action, grant);
  const existing = await find(directory, kind, grant);
  if (creates(action) && existing)
    throw new DirectoryError(400, 'RoleAssignmentExists', 'The Role assignment already exists.');
  if (!creates(action) && !existing)
    throw new DirectoryError(
      404,
      'RoleAssignmentDoesNotExist',
      'The Role assignment does not exist.',
    );
  const now = directory.clock.now();
  const common = { id: randomUUID(), action, grant, existing, createdDateTime: now.toISOString() };
  if (ends(action)) return { ...common, scheduleInfo: null, status: 'Revoked' };
  const scheduleInfo = readSchedule(values['scheduleInfo'], now);
  const isLater = periodOf(scheduleInfo).from > now.getTime();
  return { ...common, scheduleInfo, status: isLater ? 'ScheduleCreated' : 'Provisioned' };
}

/** Principals act for themselves only, and activate what they are eligible for. */
async function requireEligible(
  { directory, caller }: DirectoryRequest,
  { eligible }: ScheduleKind,
  action: string,
  grant: Body,
): Promise<void> {
  if (eligible === undefined || grant['principalId'] !== caller.objectId)
    throw accessDenied('A part is activated and deactivated by the principal that it belongs to.');
  if (action === 'selfActivate' && !(await find(directory, eligible, grant)))
    throw badRequest(
      'The principal has no eligibility that could be activated.',
      'principalId',
      'RoleAssignmentDoesNotExist',
    );
}

function idOfSchedule({ id, grant: { groupId, accessId } }: ScheduleRequest): string {
  return groupId === undefined ? id : `${String(groupId)}_${String(accessId)}_${id}`;
}

/** The stored form of a request. */
function requestBody(
  request: DirectoryRequest,
  { action, grant, scheduleInfo, status, createdDateTime }: ScheduleRequest,
  { customData = null, justification = null, isValidationOnly = false, ticketInfo }: Body,
): Body {
  return {
    status,
    createdDateTime,
    completedDateTime: createdDateTime,
    approvalId: null,
    customData,
    createdBy: senderOf(request),
    action,
    isValidationOnly,
    justification,
    scheduleInfo,
    ticketInfo: ticket(ticketInfo),
    ...grant,
  };
}

/** Ends the existing schedule, and begins and stores the one that replaces it. */
async function applyRequest(
  directory: Directory,
  kind: ScheduleKind,
  { id, action, grant, existing, scheduleInfo, status, createdDateTime }: ScheduleRequest,
  scheduleId: string,
): Promise<void> {
  if (existing) await drop(directory, kind, existing, ends(action));
  if (ends(action)) return;
  const isRunning = existing?.body['status'] === 'Provisioned';
  if (status === 'Provisioned' && !isRunning) await begin(directory, kind, grant);
  await directory.items.put(`${kind.path}s`, '', scheduleId, {
    scheduleInfo,
    createdDateTime,
    modifiedDateTime: null,
    createdUsing: id,
    status,
    ...grant,
    memberType: 'Direct',
    ...(kind.active && { assignmentType: isOwn(action) ? 'Activated' : 'Assigned' }),
  });
}

/** Stores a request after the earlier ones. */
async function storeRequest(
  { items }: Directory,
  { path }: ScheduleKind,
  id: string,
  body: Body,
): Promise<Item> {
  const earlier = (await items.list(`${path}Requests`, '')).length;
  return items.put(`${path}Requests`, '', id, body, String(earlier).padStart(9, '0'));
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
