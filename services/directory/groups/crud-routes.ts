import { requireRole } from '../authorization/access.js';
import { denied, DirectoryError, badRequest } from '../http/errors.js';
import { created, noContent, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { allOf, countObjects, type Listing, listObjects } from '../kernel/collection.js';
import { checkMatch, createdBody, showObject } from '../kernel/single.js';
import { postGroup, createGroupFrom } from './create-group.js';
import {
  findGroup,
  groupsByUniqueName,
  createGroup,
  listGroups,
  readGroup,
  requireRoleManagement,
  requireVisible,
  writeGroup,
} from './find-group.js';
import { groupType } from './group-type.js';
import { isCreatable } from './kinds.js';
import { perUserProperties, valuesOfCaller } from './outside-store.js';
import { patchGroup, updateGroup } from './update-group.js';

const listing: Listing = { source: allOf(groupType), type: groupType };

/** Create, list, get, update, upsert, delete. */
export function crudRoutes(router: Router): void {
  router.on('GET', '/groups', listGroups, (request) => listObjects(request, listing));
  router.on('GET', '/groups/$count', listGroups, (request) => countObjects(request, listing));
  router.on('POST', '/groups', createGroup, postGroup);
  router.on('GET', '/groups/{id}', readGroup, getGroup);
  router.on('PATCH', '/groups/{id}', createGroup, patchOrUpsert);
  router.on('DELETE', '/groups/{id}', writeGroup, deleteGroup);
  router.on('POST', '/groups/{id}/retryServiceProvisioning', writeGroup, retryServiceProvisioning);
}

async function getGroup(request: DirectoryRequest): Promise<Reply> {
  const group = await findGroup(request);
  requireVisible(request, group);
  const personal = request.options.select?.some((name) => (perUserProperties as readonly string[]).includes(name));
  if (!personal) return showObject(request, group, groupType);
  const own = await valuesOfCaller(request.directory, request.caller.objectId, group);
  return showObject(request, { ...group, body: { ...group.body, ...own } }, groupType);
}

/** PATCH by id, or by unique name with `Prefer: create-if-missing`. Group.Create alone doesn't change what exists. */
async function patchOrUpsert(request: DirectoryRequest): Promise<Reply> {
  const key = request.key('id');
  if (typeof key === 'string' || request.preference('create-if-missing') === undefined) {
    requireChangeRights(request);
    return patchGroup(request);
  }
  const body = request.json();
  return request.directory.sql.write(async () => {
    const [present] = await groupsByUniqueName(request);
    if (present) {
      requireChangeRights(request);
      checkMatch(request, present);
      const { uniqueName, ...changes } = body;
      if (uniqueName !== undefined && uniqueName !== present.body['uniqueName'])
        throw badRequest("Property 'uniqueName' cannot be changed.", 'uniqueName');
      await updateGroup(request, present, changes);
      return noContent;
    }
    if (body['uniqueName'] !== undefined && body['uniqueName'] !== key.value)
      throw badRequest("Property 'uniqueName' differs from the key in the path.", 'uniqueName');
    const group = await createGroupFrom(request, body, key.value);
    return created(createdBody(request, group, groupType), `${request.base}/groups/${group.id}`);
  });
}

/** Provisioning never fails here, so that trying again changes nothing. */
async function retryServiceProvisioning(request: DirectoryRequest): Promise<Reply> {
  await findGroup(request);
  requireRole(request.caller);
  return noContent;
}

function requireChangeRights(request: DirectoryRequest): void {
  const { caller } = request;
  if (caller.kind === 'application' && !['Group.ReadWrite.All', 'Directory.ReadWrite.All'].some((name) => caller.roles.has(name)))
    throw denied('Insufficient privileges to complete the operation: Group.Create creates groups and changes none.');
}

async function deleteGroup(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  await directory.sql.write(async () => {
    const group = await findGroup(request);
    checkMatch(request, group);
    if (group.body['isAssignableToRole'] === true) requireRoleManagement(request.caller);
    else requireRole(request.caller);
    if (!isCreatable(group.body) && directory.dialect === 'neutral')
      throw new DirectoryError(
        403,
        'Authorization_RequestDenied',
        'Groups that originated within an external service are read-only and cannot be deleted here.',
      );
    await directory.deleted.remove(group);
  });
  return noContent;
}
