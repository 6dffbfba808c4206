import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/values/is-object.js';
import {
  badRequest,
  accessDenied,
  DirectoryError,
  objectNotFound,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { StoredRecord } from '../store/records.js';
import type { Body } from '../store/objects.js';
import { periodOf, parseScheduleInfo, canonicalEnumValue } from './schedule-info.js';
import type { ScheduleKind } from './schedule-kinds.js';
import { findSchedule, endSchedule, beginSchedule } from './schedule-lifecycle.js';

const requestActions = [
  'adminAssign',
  'adminUpdate',
  'adminExtend',
  'adminRenew',
  'adminRemove',
  'selfActivate',
  'selfDeactivate',
] as const;

/** A request about a schedule, after its checks. */
interface ScheduleRequest {
  readonly id: string;
  readonly action: (typeof requestActions)[number];
  /** The principal, and the group or role that it gets. */
  readonly grant: Body;
  /** The schedule that the request changes or ends. */
  readonly existing: StoredRecord | undefined;
  /** Null if the request ends a schedule. */
  readonly scheduleInfo: Body | null;
  /**
   * `Revoked`: the request ends the schedule. `Provisioned`: the schedule begins at once.
   * `ScheduleCreated`: it begins later.
   */
  readonly status: 'Revoked' | 'ScheduleCreated' | 'Provisioned';
  readonly createdDateTime: string;
}

const isCreateAction = (action: string): boolean =>
  ['adminAssign', 'selfActivate'].includes(action);
const isRemoveAction = (action: string): boolean =>
  ['adminRemove', 'selfDeactivate'].includes(action);
const isSelfAction = (action: string): boolean => action.startsWith('self');

/** Executes a request. Call in a transaction. @throws DirectoryError 400, 403, 404. */
export async function executeRequest(
  request: DirectoryRequest,
  kind: ScheduleKind,
  values: Body,
): Promise<StoredRecord> {
  const scheduleRequest = await checkRequest(request, kind, values);
  const scheduleId = scheduleIdOf(scheduleRequest);
  const targetScheduleId = isRemoveAction(scheduleRequest.action)
    ? (scheduleRequest.existing?.id ?? null)
    : scheduleId;
  const body = { ...requestBody(request, scheduleRequest, values), targetScheduleId };
  if (values['isValidationOnly'] === true) return { id: scheduleRequest.id, body };
  await applyRequest(request.directory, kind, scheduleRequest, scheduleId);
  return storeRequest(request.directory, kind, scheduleRequest.id, body);
}

async function checkRequest(
  request: DirectoryRequest,
  kind: ScheduleKind,
  values: Body,
): Promise<ScheduleRequest> {
  const { directory } = request;
  const action = canonicalEnumValue(requestActions, values['action'], 'action');
  const grant = await kind.resolveGrant(request, values, isSelfAction(action));
  if (isSelfAction(action)) await requireEligible(request, kind, action, grant);
  const existing = await findSchedule(directory, kind, grant);
  if (isCreateAction(action) && existing)
    throw new DirectoryError(400, 'RoleAssignmentExists', 'The Role assignment already exists.');
  if (!isCreateAction(action) && !existing)
    throw new DirectoryError(
      404,
      'RoleAssignmentDoesNotExist',
      'The Role assignment does not exist.',
    );
  const now = directory.clock.now();
  const common = { id: randomUUID(), action, grant, existing, createdDateTime: now.toISOString() };
  if (isRemoveAction(action)) return { ...common, scheduleInfo: null, status: 'Revoked' };
  const scheduleInfo = parseScheduleInfo(values['scheduleInfo'], now);
  const isLater = periodOf(scheduleInfo).from > now.getTime();
  return { ...common, scheduleInfo, status: isLater ? 'ScheduleCreated' : 'Provisioned' };
}

/**
 * Checks that principals act for themselves only, and activate only what they are eligible for at
 * this time.
 */
async function requireEligible(
  { directory, caller }: DirectoryRequest,
  { eligibilities }: ScheduleKind,
  action: string,
  grant: Body,
): Promise<void> {
  if (eligibilities === undefined || grant['principalId'] !== caller.objectId.toLowerCase())
    throw accessDenied('Only the principal of an eligibility can activate or deactivate it.');
  if (action !== 'selfActivate') return;
  const eligibility = await findSchedule(directory, eligibilities, grant);
  const now = directory.clock.now().getTime();
  const period = eligibility && periodOf(eligibility.body['scheduleInfo']);
  if (period === undefined || now < period.from || period.to <= now)
    throw badRequest(
      'The principal has no eligibility to activate.',
      'principalId',
      'RoleAssignmentDoesNotExist',
    );
}

function scheduleIdOf({ id, grant: { groupId, accessId } }: ScheduleRequest): string {
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
    createdBy: requesterOf(request),
    action,
    isValidationOnly,
    justification,
    scheduleInfo,
    ticketInfo: parseTicketInfo(ticketInfo),
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
  const startsAtOnce = status === 'Provisioned';
  if (existing) await endSchedule(directory, kind, existing, startsAtOnce ? 'keep' : 'remove');
  if (isRemoveAction(action)) return;
  const isRunning = existing?.body['status'] === 'Provisioned';
  if (startsAtOnce && !isRunning) await beginSchedule(directory, kind, grant);
  await directory.records.put(`${kind.singularPath}s`, '', scheduleId, {
    scheduleInfo,
    createdDateTime,
    modifiedDateTime: null,
    createdUsing: id,
    status,
    ...grant,
    memberType: 'Direct',
    ...(kind.assignmentActions && {
      assignmentType: isSelfAction(action) ? 'Activated' : 'Assigned',
    }),
  });
}

/** Stores a request. Its sort key is the number of earlier ones. */
async function storeRequest(
  { records }: Directory,
  { singularPath }: ScheduleKind,
  id: string,
  body: Body,
): Promise<StoredRecord> {
  const earlierCount = (await records.list(`${singularPath}Requests`, '')).length;
  return records.put(
    `${singularPath}Requests`,
    '',
    id,
    body,
    String(earlierCount).padStart(9, '0'),
  );
}

function requesterOf({ caller }: DirectoryRequest): Body {
  return {
    [caller.kind === 'user' ? 'user' : 'application']: {
      displayName: null,
      id: caller.objectId.toLowerCase(),
    },
  };
}

/**
 * Cancels a request whose schedule has not started. Its sender may cancel it, and everyone who
 * could have sent it.
 */
export function cancelRequest(request: DirectoryRequest, kind: ScheduleKind): Promise<Reply> {
  const { records } = request.directory;
  const id = request.parameter('id');
  return request.runInTransaction(async () => {
    const record = await records.get(`${kind.singularPath}Requests`, '', id);
    if (!record) throw objectNotFound(id);
    // Others must be allowed to grant what was requested: `resolveGrant` checks that.
    if (!isDeepStrictEqual(record.body['createdBy'], requesterOf(request)))
      await kind.resolveGrant(request, record.body, false);
    const schedule = await records.get(
      `${kind.singularPath}s`,
      '',
      String(record.body['targetScheduleId']),
    );
    if (schedule?.body['status'] !== 'ScheduleCreated')
      throw badRequest('Only a request that is pending can be canceled.');
    await records.remove(`${kind.singularPath}s`, '', schedule.id);
    await records.replace(`${kind.singularPath}Requests`, '', id, {
      ...record.body,
      status: 'Canceled',
    });
  });
}

function parseTicketInfo(info: unknown): Body {
  const { ticketNumber = null, ticketSystem = null } = isObject(info) ? info : {};
  return { ticketNumber, ticketSystem };
}
