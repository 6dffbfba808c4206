import type { Body, StoredObject } from '../store/objects.js';
import { requireGroupWriterRole } from '../authorization/access.js';
import {
  badRequest,
  created,
  accessDenied,
  insufficientPrivileges,
  noContent,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { checkIfMatch, entityBody } from '../kernel/single-object.js';
import { createGroupFrom, postGroup } from './create-group.js';
import {
  groupCreateAccess,
  findGroup,
  findVisibleGroup,
  groupsByUniqueName,
  groupListAccess,
  groupReadAccess,
  groupWriteAccess,
} from './group-access.js';
import { groupType } from './group-type.js';
import { requireRoleManagement } from './role-management.js';
import { isManagedByApi } from './group-kinds.js';
import { perUserProperties, settingsOfCaller } from './properties-outside-store.js';
import { patchGroup, updateGroup } from './update-group.js';
import { addStandardOperations } from '../kernel/standard-operations.js';

/** Adds the operations create, list, get, update, upsert and delete of groups. */
export function addCrudRoutes(router: Router): void {
  addStandardOperations(router, {
    type: groupType,
    read: groupListAccess,
    readOne: groupReadAccess,
    write: groupWriteAccess,
    find: findVisibleGroup,
    completeView: withCallersSettings,
    beforeDelete: requireDeletable,
  });
  router.on('POST', '/groups', groupCreateAccess, postGroup);
  router.on('PATCH', '/groups/{id}', groupCreateAccess, patchOrUpsert);
  router.on(
    'POST',
    '/groups/{id}/retryServiceProvisioning',
    groupWriteAccess,
    retryServiceProvisioning,
  );
}

/** A group in an answer, with the caller's own settings in it. */
async function withCallersSettings(
  request: DirectoryRequest,
  group: StoredObject,
  view: Body,
): Promise<Body> {
  const selectedNames = perUserProperties.filter((name) => request.options.select?.includes(name));
  if (selectedNames.length === 0) return view;
  const settings = await settingsOfCaller(request.directory, request.caller.objectId, group);
  return {
    ...view,
    ...Object.fromEntries(
      selectedNames.flatMap((name) => (name in settings ? [[name, settings[name]]] : [])),
    ),
  };
}

/**
 * PATCH by id, or by unique name with `Prefer: create-if-missing`. Group.Create alone cannot change
 * an existing group.
 */
async function patchOrUpsert(request: DirectoryRequest): Promise<Reply> {
  const key = request.key('id');
  if (typeof key === 'string' || !request.createsIfMissing) {
    requireChangeRights(request);
    return patchGroup(request);
  }
  const body = request.json();
  return request.directory.sql.transaction(async () => {
    const [existing] = await groupsByUniqueName(request);
    if (existing) {
      requireChangeRights(request);
      checkIfMatch(request, existing);
      const { uniqueName, ...changes } = body;
      if (uniqueName !== undefined && uniqueName !== existing.body['uniqueName'])
        throw badRequest("Property 'uniqueName' cannot be changed.", 'uniqueName');
      await updateGroup(request, existing, changes);
      return noContent;
    }
    if (body['uniqueName'] !== undefined && body['uniqueName'] !== key.value)
      throw badRequest("Property 'uniqueName' differs from the key in the path.", 'uniqueName');
    const group = await createGroupFrom(request, body, key.value);
    return created(entityBody(request, group, groupType), `${request.base}/groups/${group.id}`);
  });
}

/** Provisioning never fails here, so a retry has nothing to do. */
async function retryServiceProvisioning(request: DirectoryRequest): Promise<Reply> {
  await findGroup(request);
  requireGroupWriterRole(request.caller);
  return noContent;
}

function requireChangeRights(request: DirectoryRequest): void {
  const { caller } = request;
  if (
    caller.kind === 'application' &&
    !['Group.ReadWrite.All', 'Directory.ReadWrite.All'].some((name) => caller.roles.has(name))
  )
    throw insufficientPrivileges('Group.Create is only for creating groups');
}

function requireDeletable({ caller, directory }: DirectoryRequest, { body }: StoredObject): void {
  if (body['isAssignableToRole'] === true) requireRoleManagement(caller);
  else requireGroupWriterRole(caller);
  if (isManagedByApi(body) || directory.dialect !== 'neutral') return;
  throw accessDenied(
    'Groups that originated within an external service are read-only and cannot be deleted here.',
  );
}
