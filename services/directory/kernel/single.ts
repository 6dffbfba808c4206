import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import { ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import { requireOneExpansion } from '../odata/index.js';
import type { StoredObject } from '../store/objects.js';
import { contextUrl } from './collection.js';
import { expandOne } from './expand.js';
import type { ObjectType } from './object-type.js';
import { checkSelect, present } from './present.js';

/** Answers one object with `$select` and `$expand`. Its ETag is the version. */
export async function showObject(request: DirectoryRequest, object: StoredObject, type: ObjectType): Promise<Reply> {
  const { directory, options } = request;
  if (options.filter || options.search || options.orderby || options.top !== undefined)
    throw badRequest('$filter, $search, $orderby and $top are not supported when a single object is read.');
  checkSelect(directory, type, options.select, true);
  const shown = present(directory, object, options.select ? { select: options.select } : {});
  requireOneExpansion(options.expand ?? []);
  for (const item of options.expand ?? []) {
    if (!type.navigations || !Object.hasOwn(type.navigations, item.relationship))
      throw badRequest(`Could not find a property named '${item.relationship}' on type '${directory.namespace}.${type.name}'.`);
    Object.assign(shown, await expandOne(request, object, item));
  }
  const context = { '@odata.context': `${contextUrl(request, type.collection, options)}/$entity` };
  return ok({ ...context, ...shown }, { etag: etagOf(object) });
}

/** The body of a newly created object, as POST answers it. */
export function createdBody(request: DirectoryRequest, object: StoredObject, type: ObjectType): Record<string, unknown> {
  return { '@odata.context': `${request.base}/$metadata#${type.collection}/$entity`, ...present(request.directory, object) };
}

/** The entity tag of an object's present state. */
export function etagOf(object: StoredObject): string {
  return `W/"${object.id}.${object.version}"`;
}

/** Holds `If-Match` against an object. @throws DirectoryError 412 when it has changed since. */
export function checkMatch(request: DirectoryRequest, object: StoredObject): void {
  const wanted = request.header('if-match');
  if (wanted === undefined || wanted.trim() === '*') return;
  const tags = wanted.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(etagOf(object).replace(/^W\//, '')))
    throw new DirectoryError(412, 'Request_PreconditionFailed', `The object '${object.id}' has changed since the given ETag.`);
}

/** An object of a type by its id. @throws DirectoryError 404. */
export async function requireObject(request: DirectoryRequest, type: string, id: string): Promise<StoredObject> {
  const object = await request.directory.objects.getOfType(type, id);
  if (object === undefined) throw objectNotFound(id);
  return object;
}
