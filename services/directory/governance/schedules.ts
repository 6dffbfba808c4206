import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { addRecordOperations } from '../kernel/record-operations.js';
import { sameRules, type QueryRules } from '../odata/property-rules.js';
import { isScopedToObject } from '../roles/role-assignments.js';
import type { StoredRecord } from '../store/records.js';
import { periodOf } from './schedule-info.js';
import {
  scheduleKinds,
  roleAssignmentSchedules,
  groupAssignmentSchedules,
  type ScheduleKind,
} from './schedule-kinds.js';
import { executeRequest, cancelRequest } from './schedule-requests.js';
import { endSchedulesWhere, findSchedule } from './schedule-lifecycle.js';

const textRule = { type: 'string', operators: ['eq', 'ne', 'in'] } as const;
const instantRule = { type: 'date', operators: ['eq', 'ge', 'le'], orderby: 'default' } as const;
const scheduleQueryRules: QueryRules = {
  resource: 'PrivilegedAccessSchedule',
  properties: {
    ...sameRules(
      textRule,
      'id',
      'groupId',
      'accessId',
      'principalId',
      'roleDefinitionId',
      'directoryScopeId',
      'targetScheduleId',
      'createdUsing',
      'status',
      'action',
      'memberType',
      'assignmentType',
      'assignmentScheduleId',
      'eligibilityScheduleId',
      'roleAssignmentScheduleId',
      'roleEligibilityScheduleId',
    ),
    createdDateTime: instantRule,
    completedDateTime: instantRule,
  },
};

/**
 * Adds the operations of time-limited membership in groups and directory roles: requests create
 * schedules, which expire.
 */
export function addScheduleRoutes(router: Router, directory: Directory): void {
  for (const kind of scheduleKinds) addRoutesOfKind(router, directory, kind);
  endSchedulesOnRemoval(directory);
}

/**
 * Adds the operations of a kind of schedules, of their instances, and of requests to change them.
 */
function addRoutesOfKind(router: Router, directory: Directory, kind: ScheduleKind): void {
  const { singularPath, expansions, read, write } = kind;
  const schedules = `${singularPath}s`;
  const requests = `${singularPath}Requests`;
  const queryRules = { ...scheduleQueryRules, expand: Object.keys(expansions) };
  const readOptions = { queryRules, expansions, read };
  addRecordOperations(router, { ...readOptions, path: schedules, collection: schedules, write });
  const list = async (): Promise<StoredRecord[]> =>
    (await directory.records.list(schedules, ''))
      .filter(({ body }) => body['status'] === 'Provisioned')
      .map((record) => instanceOf(kind, record));
  addRecordOperations(router, { ...readOptions, path: `${singularPath}Instances`, list });
  addRecordOperations(router, {
    ...readOptions,
    path: requests,
    collection: requests,
    write,
    create: (request, body) => executeRequest(request, kind, body),
  });
  router.on('POST', `${requests}/{id}/cancel`, write, (request) => cancelRequest(request, kind));
}

/**
 * Ends the schedules whose principal, group, scope or assignment is removed other than by a request.
 */
function endSchedulesOnRemoval(directory: Directory): void {
  directory.objects.listen({
    beforeRemoval: async ({ id }) =>
      endSchedulesWhere(
        directory,
        (body) =>
          body['groupId'] === id || body['principalId'] === id || isScopedToObject(body, id),
      ),
  });
  directory.links.listen(async ({ source, relation, target, isRemoval }) => {
    if (!isRemoval || !['members', 'owners', 'roleMembers'].includes(relation)) return;
    const isRole = relation === 'roleMembers';
    const kind = isRole ? roleAssignmentSchedules : groupAssignmentSchedules;
    const grant = isRole
      ? { roleDefinitionId: source.body['roleTemplateId'], directoryScopeId: '/' }
      : { groupId: source.id, accessId: relation.slice(0, -1) };
    const schedule = await findSchedule(directory, kind, {
      ...grant,
      principalId: target.id,
    });
    if (schedule?.body['status'] === 'Provisioned')
      await directory.records.remove(`${kind.singularPath}s`, '', schedule.id);
  });
}

/** The instance of an active schedule: what it grants, and from when to when. */
function instanceOf({ singularPath }: ScheduleKind, { id, body }: StoredRecord): StoredRecord {
  const {
    scheduleInfo,
    status: _status,
    createdDateTime: _created,
    modifiedDateTime: _modified,
    createdUsing: _using,
    ...grant
  } = body;
  const { from, to } = periodOf(scheduleInfo);
  const endDateTime = to === Number.POSITIVE_INFINITY ? null : new Date(to).toISOString();
  return {
    id,
    body: {
      ...grant,
      startDateTime: new Date(from).toISOString(),
      endDateTime,
      [`${singularPath.split('/').at(-1) ?? ''}Id`]: id,
    },
  };
}
