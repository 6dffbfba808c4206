import { isGuid } from '../../../core/values/guid.js';
import {
  badRequest,
  objectConflict,
  DirectoryError,
  objectNotFound,
  ok,
  type Reply,
} from '../http/answers.js';
import { type PathKey, pathKeyValue } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import { isEventual, requireOneExpansion } from '../odata/index.js';
import type { Body, LookupColumn, StoredObject } from '../store/objects.js';
import type { Stores } from '../store/stores.js';
import { contextUrl } from './object-list.js';
import { expandRelationship } from './expand.js';
import type { ObjectType } from './object-type.js';
import { checkSelect, present } from './presentation.js';

/** Answers one object with `$select` and `$expand`, and its version as ETag. */
export async function showObject(
  request: DirectoryRequest,
  object: StoredObject,
  type: ObjectType,
): Promise<Reply> {
  const { directory, options } = request;
  if (options.filter || options.search || options.orderby || options.top !== undefined)
    throw badRequest(
      '$filter, $search, $orderby and $top are not supported when a single object is read.',
    );
  checkSelect(directory, type, options.select, 'object');
  const view = present(directory, object, { select: options.select });
  requireOneExpansion(options.expand ?? []);
  for (const expansion of options.expand ?? []) {
    if (!type.navigations || !Object.hasOwn(type.navigations, expansion.relationship))
      throw badRequest(
        `Could not find a property named '${expansion.relationship}' on type '${directory.namespace}.${type.name}'.`,
      );
    if (expansion.levels !== undefined && !isEventual(request.header('consistencylevel')))
      throw badRequest("$levels is supported only with the header 'ConsistencyLevel: eventual'.");
    Object.assign(view, await expandRelationship(request, object, expansion));
  }
  return ok(
    { '@odata.context': `${contextUrl(request, type.collection, options)}/$entity`, ...view },
    { etag: etagOf(object) },
  );
}

/** The body of an answer with one object, such as to the POST that creates it. */
export function entityBody(
  request: DirectoryRequest,
  object: StoredObject,
  type: ObjectType,
): Body {
  return request.withContext(`${type.collection}/$entity`, present(request.directory, object));
}

/** The ETag of an object's current state. */
export function etagOf(object: StoredObject): string {
  return `W/"${object.id}.${object.version}"`;
}

/** Checks `If-Match` against an object. @throws DirectoryError 412 when it has changed since. */
export function checkIfMatch(request: DirectoryRequest, object: StoredObject): void {
  const etag = request.header('if-match');
  if (etag === undefined || etag.trim() === '*') return;
  const tags = etag.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(etagOf(object).replace(/^W\//, '')))
    throw new DirectoryError(
      412,
      'Request_PreconditionFailed',
      `The object '${object.id}' has changed since the given ETag.`,
    );
}

/** An object of a type by its id or an alternate key. */
export async function findByPathKey(
  { directory }: DirectoryRequest,
  type: ObjectType,
  key: PathKey,
): Promise<StoredObject | undefined> {
  const { keyInPath = '', alternateKeys = {} } = type;
  if (typeof key === 'string' && (keyInPath === '' || isGuid(key)))
    return directory.objects.getOfType(type.name, key);
  const property = typeof key === 'string' ? keyInPath : key.property;
  const column = Object.hasOwn(alternateKeys, property) ? alternateKeys[property] : undefined;
  return column && (await directory.objects.findBy(type.name, column, pathKeyValue(key)))[0];
}

/** The object of the path's `{id}`: an id or an alternate key. @throws DirectoryError 404. */
export async function requireByPathKey(
  request: DirectoryRequest,
  type: ObjectType,
): Promise<StoredObject> {
  const key = request.key('id');
  const object = await findByPathKey(request, type, key);
  if (!object) throw objectNotFound(pathKeyValue(key));
  return object;
}

/**
 * Checks that no other object of a type has a value.
 *
 * @param ownId the object that may have it.
 * @throws DirectoryError 400.
 */
export async function requireUnique(
  { objects }: Stores,
  type: string,
  column: LookupColumn,
  property: string,
  value: unknown,
  ownId?: string,
): Promise<void> {
  const objectsWithValue =
    typeof value === 'string' ? await objects.findBy(type, column, value) : [];
  if (objectsWithValue.some(({ id }) => id !== ownId))
    throw objectConflict(
      `Another object with the same value for property ${property} already exists.`,
      property,
    );
}

/**
 * Finds an object by its id.
 *
 * @param type the required type; undefined: any.
 * @throws DirectoryError 404.
 */
export async function requireObject(
  { objects }: Stores,
  id: string,
  type?: string,
): Promise<StoredObject> {
  const object = type === undefined ? await objects.get(id) : await objects.getOfType(type, id);
  if (object === undefined) throw objectNotFound(id);
  return object;
}
