import { sql } from 'kysely';
import { permit, requirePermission, requireRole } from '../authorization/access.js';
import {
  badRequest,
  insufficientPrivileges,
  objectNotFound,
  ok,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import {
  countObjects,
  deletedObjectsOf,
  type Listing,
  listObjects,
} from '../kernel/object-list.js';
import type { DirectoryModule } from '../directory-module.js';
import { checkUser } from '../users/user-rules.js';
import { requireUser, userType } from '../users/user-type.js';
import type { Directory } from '../kernel/directory.js';
import type { ObjectType } from '../kernel/object-type.js';
import { present } from '../kernel/presentation.js';
import { requireUnique } from '../kernel/single-object.js';
import { typeOfCast } from '../kernel/navigation-routes.js';
import type { DeletedObject } from '../store/object-deletion.js';
import type { Body } from '../store/objects.js';
import { relations } from '../store/relations.js';

/** The most objects in an answer of `getUserOwnedObjects`. */
const maxOwnedObjects = 1000;

/** Objects deleted in the last 30 days: list, get, restore, purge. */
export const deletedItemsModule: DirectoryModule = {
  routes(router, { types }) {
    const path = '/directory/deletedItems';
    // Admits callers who may read any type that can be restored; the object's own type is checked
    // once it is known.
    const restorableTypes = [...types.all()].filter(({ softDelete }) => softDelete !== false);
    const permissions = restorableTypes.flatMap(
      ({ readPermissions, writePermissions, deletePermissions = [] }) => [
        ...readPermissions,
        ...writePermissions,
        ...deletePermissions,
      ],
    );
    const readOrWriteAccess = permit([...new Set(permissions)]);
    router.on('GET', path, readOrWriteAccess, () => {
      throw badRequest(
        'The type of the deleted items must be named: /directory/deletedItems/{namespace}.group.',
      );
    });
    router.on('GET', `${path}/{cast}`, readOrWriteAccess, (request) =>
      listObjects(request, deletedListing(request)),
    );
    router.on('GET', `${path}/{cast}/$count`, readOrWriteAccess, (request) =>
      countObjects(request, deletedListing(request)),
    );
    router.on('POST', `${path}/getUserOwnedObjects`, readOrWriteAccess, getUserOwnedObjects);
    router.on('GET', `${path}/{id}`, readOrWriteAccess, getDeleted);
    router.on('POST', `${path}/{id}/restore`, readOrWriteAccess, restore);
    router.on('DELETE', `${path}/{id}`, readOrWriteAccess, purge);
  },
  tick: (directory) => directory.deletion.purgeExpired(),
};

function deletedListing(request: DirectoryRequest): Listing {
  const type = typeOfCast(request);
  if (!type)
    throw badRequest(
      'The type of the deleted items must be named: /directory/deletedItems/{namespace}.group.',
    );
  requirePermission(request.caller, ...type.readPermissions);
  if (request.caller.isGuest) throw insufficientPrivileges('guests may not list deleted items');
  return {
    source: deletedObjectsOf(type, request.directory.deletion.restoreCutoff()),
    type,
    deleted: true,
  };
}

/** The deleted object of a path, with its type. @throws DirectoryError 404. */
async function requireDeleted(
  request: DirectoryRequest,
): Promise<{ object: DeletedObject; type: ObjectType }> {
  const id = request.parameter('id');
  const object = await request.directory.deletion.findDeleted(id);
  if (!object) throw objectNotFound(id);
  return { object, type: request.directory.types.get(object.type) };
}

async function getDeleted(request: DirectoryRequest): Promise<Reply> {
  const { object, type } = await requireDeleted(request);
  requirePermission(request.caller, ...type.readPermissions);
  const { select } = request.options;
  const view = present(request.directory, object, {
    withODataType: true,
    deletedAt: object.deletedAt,
    select,
  });
  return ok(request.withContext('directoryObjects/$entity', view));
}

async function restore(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const options = request.optionalJson();
  const restored = await directory.sql.transaction(async () => {
    const { object, type } = await requireDeleted(request);
    requireWriter(request, type, object);
    const body = await restoredBody(directory, object, options);
    await type.checkRestore?.(directory, body);
    for (const [property, column] of Object.entries(type.alternateKeys ?? {}))
      await requireUnique(directory, type.name, column, property, body[property]);
    return directory.deletion.restore(object, body);
  });
  const view = present(directory, restored, { withODataType: true });
  return ok(request.withContext('directoryObjects/$entity', view));
}

/**
 * The properties that an object is restored with: a user takes the principal name that the request
 * gives.
 *
 * @throws DirectoryError 400 for a name that no user may have.
 */
async function restoredBody(
  directory: Directory,
  { type, body }: DeletedObject,
  { newUserPrincipalName }: Body,
): Promise<Body> {
  if (type !== userType.name || newUserPrincipalName === undefined || newUserPrincipalName === null)
    return body;
  const changes = { userPrincipalName: newUserPrincipalName };
  await checkUser(directory, changes);
  return { ...body, ...changes };
}

function purge(request: DirectoryRequest): Promise<Reply> {
  return request.runInTransaction(async () => {
    const { object, type } = await requireDeleted(request);
    requireWriter(request, type, object);
    await request.directory.deletion.purge(object);
  });
}

function requireWriter(
  { caller }: DirectoryRequest,
  type: ObjectType,
  { body }: DeletedObject,
): void {
  requirePermission(caller, ...type.writePermissions, ...(type.deletePermissions ?? []));
  if (type.authorizeRestore) type.authorizeRestore(caller, body);
  else requireRole(caller, type.writeRoles);
}

async function getUserOwnedObjects(request: DirectoryRequest): Promise<Reply> {
  const { directory, caller } = request;
  const body = request.json();
  const type = directory.types.find(String(body['type'] ?? 'Group'));
  if (!type)
    throw badRequest(`'${String(body['type'])}' is not a type of directory objects.`, 'type');
  requirePermission(caller, ...type.readPermissions);
  if (typeof body['userId'] !== 'string') throw badRequest('userId is needed.', 'userId');
  const user = await requireUser(request, body['userId']);
  const relation = type.name === 'group' ? relations.owners : relations.applicationOwners;
  const rows = await directory.sql.query<{ id: string }>(sql`
    select d.id from directory_deleted_link l join directory_deleted_object d on d.number = l.source
    where l.target = ${user.number} and l.relation = ${relation} and d.type = ${type.name}
      and d.deleted_at > ${directory.deletion.restoreCutoff()} order by d.id limit ${sql.lit(maxOwnedObjects)}`);
  const value: Record<string, unknown>[] = [];
  for (const { id } of rows) {
    const object = await directory.deletion.findDeleted(id);
    if (object)
      value.push(present(directory, object, { withODataType: true, deletedAt: object.deletedAt }));
  }
  return ok(request.withContext('directoryObjects', { value }));
}
