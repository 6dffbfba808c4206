import { randomUUID } from 'node:crypto';
import { badRequest, created, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { callerObject, findGroup, requireVisible } from '../groups/group-access.js';
import { addRecordOperations, presentRecord } from '../kernel/record-operations.js';
import { requireObject } from '../kernel/single-object.js';
import { idOfReference, plainProperties } from '../kernel/references.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  addResourceRoutes,
  groupRecordOptions,
  requireContentWriter,
  requireUnified,
  resourceFragment,
  resourceReadAccess,
  resourceWriteAccess,
} from './group-resources.js';

const notebookCollection = 'notebook';
const planCollection = 'planner-plan';
const maxNameLength = 128;
/** The length of the ids that the cloud gives plans. */
const planIdLength = 28;

/** Adds the operations of a unified group's notebooks, planner plans and permission grants. */
export function addNotesAndPlanRoutes(router: Router): void {
  for (const name of ['onenote', 'planner'])
    addResourceRoutes(router, [`/groups/{id}/${name}`], name, (_request, { id }) => ({ id }));
  const path = '/groups/{id}/onenote/notebooks';
  addRecordOperations<StoredObject>(router, {
    ...groupRecordOptions,
    path,
    collection: notebookCollection,
    beforeWrite: requireContentWriter,
    create: createNotebook,
  });
  addRecordOperations<StoredObject>(router, {
    ...groupRecordOptions,
    path: '/groups/{id}/planner/plans',
    collection: planCollection,
  });
  router.on('POST', '/planner/plans', resourceWriteAccess, (request) =>
    request.runInTransaction(() => createPlan(request)),
  );
  addRecordOperations<StoredObject>(router, {
    ...groupRecordOptions,
    path: '/groups/{id}/permissionGrants',
    collection: 'permission-grant',
    present: (grant) => ({ deletedDateTime: null, ...presentRecord(grant) }),
  });
  router.on(
    'POST',
    '/groups/{id}/checkGrantedPermissionsForApp',
    resourceReadAccess,
    async (request) => {
      const group = await findGroup(request);
      requireVisible(request, group);
      return ok(request.withContext(resourceFragment(group, 'permissionGrants'), { value: [] }));
    },
  );
}

async function createNotebook(
  request: DirectoryRequest,
  { displayName }: Body,
  group: StoredObject,
): Promise<StoredRecord> {
  if (
    typeof displayName !== 'string' ||
    displayName === '' ||
    displayName.length > maxNameLength ||
    /[?*\\/:<>|'"]/.test(displayName)
  )
    throw badRequest(
      `displayName needs 1 to ${maxNameLength} characters without ? * \\ / : < > | ' ".`,
      'displayName',
    );
  const { records, clock } = request.directory;
  const others = await records.list(notebookCollection, group.id);
  if (
    others.some(
      (each) => String(each.body['displayName']).toLowerCase() === displayName.toLowerCase(),
    )
  )
    // 20117 is the cloud's error code for a notebook name that exists.
    throw new DirectoryError(409, '20117', `A notebook named '${displayName}' exists already.`);
  const id = `1-${randomUUID()}`;
  const now = clock.now().toISOString();
  const address = `${request.base}/groups/${group.id}/onenote/notebooks/${id}`;
  const notebook = {
    displayName,
    createdDateTime: now,
    lastModifiedDateTime: now,
    createdBy: await callerIdentity(request),
    lastModifiedBy: await callerIdentity(request),
    isDefault: false,
    isShared: true,
    userRole: 'Owner',
    sectionsUrl: `${address}/sections`,
    sectionGroupsUrl: `${address}/sectionGroups`,
    links: { oneNoteClientUrl: { href: `onenote:${address}` }, oneNoteWebUrl: { href: address } },
  };
  return records.put(notebookCollection, group.id, id, notebook, displayName.toLowerCase());
}

async function createPlan(request: DirectoryRequest): Promise<Reply> {
  const { title, container, owner } = plainProperties(request.json());
  if (typeof title !== 'string' || title === '') throw badRequest('A plan needs a title.', 'title');
  const { url, containerId } = (container ?? {}) as { url?: unknown; containerId?: unknown };
  const id = owner ?? containerId ?? (typeof url === 'string' ? idOfReference(url) : undefined);
  if (typeof id !== 'string')
    throw badRequest('A plan needs a container: the group it belongs to.', 'container');
  const group = requireUnified(await requireObject(request.directory, id, 'group'));
  requireVisible(request, group);
  await requireContentWriter(request, group);
  const plan = {
    title,
    owner: group.id,
    container: { containerId: group.id, type: 'group', url: `${request.base}/groups/${group.id}` },
    createdBy: await callerIdentity(request),
    createdDateTime: request.directory.clock.now().toISOString(),
  };
  const planId = randomUUID().replaceAll('-', '').slice(0, planIdLength);
  const record = await request.directory.records.put(
    planCollection,
    group.id,
    planId,
    plan,
    plan.createdDateTime,
  );
  return created(request.withContext('planner/plans/$entity', presentRecord(record)));
}

/** The caller as `createdBy` and `lastModifiedBy` name them. */
async function callerIdentity(request: DirectoryRequest): Promise<Body> {
  const self = await callerObject(request);
  const identity = {
    id: request.caller.objectId || null,
    displayName: self?.body['displayName'] ?? request.caller.name ?? null,
  };
  return request.caller.kind === 'application' ? { application: identity } : { user: identity };
}
