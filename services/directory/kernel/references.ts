import { badRequest, objectNotFound } from '../http/errors.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Directory } from './directory.js';

/** An object's id, as clients write it. */
export const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The id at the end of a reference: `https://host/v1.0/directoryObjects/{id}`, `…/users/{id}`, `…/users('id')`. Host and version don't
 * matter; relative ones are taken too.
 *
 * @throws DirectoryError 400 when it names no object.
 */
export function idOfReference(reference: unknown): string {
  const last = typeof reference === 'string' ? /(?:^|\/)(?:[\w.]+\(['"]?)?([^/()'"]+)['"]?\)?\/?$/.exec(reference)?.[1] : undefined;
  if (last === undefined) throw badRequest('Not a valid reference update: "@odata.id" must be the address of a directory object.');
  try {
    return decodeURIComponent(last);
  } catch (cause) {
    throw badRequest(`Not a valid reference update: "@odata.id" is not correctly percent-encoded (${(cause as Error).message}).`);
  }
}

/** The id of a `$ref` body `{"@odata.id": "…"}`. */
export function idOfRefBody(body: Body): string {
  if (body['@odata.id'] === undefined) throw badRequest('Not a valid reference update: "@odata.id" is missing.');
  return idOfReference(body['@odata.id']);
}

/** The object that a reference leads to; users are also found by their user principal name. @throws DirectoryError 404. */
export async function resolveReference(directory: Directory, reference: unknown): Promise<StoredObject> {
  const id = idOfReference(reference);
  const object = await directory.objects.get(id);
  if (object) return object;
  const [user] = idPattern.test(id) ? [] : await directory.objects.findBy('user', 'user_principal_name', id);
  if (!user) throw objectNotFound(id);
  return user;
}

/** The ids of an `owners@odata.bind`, one address or a list of them. @throws DirectoryError 400 for anything else. */
export function bindings(body: Body, property: string): string[] | undefined {
  const value = body[`${property}@odata.bind`];
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map(idOfReference);
}

/** A body's own properties, without annotations and bindings. @throws DirectoryError 400 for a name that no property can have. */
export function ownProperties(body: Body): Record<string, unknown> {
  if (Object.hasOwn(body, '__proto__')) throw badRequest("'__proto__' is not a property name.", '__proto__');
  return Object.fromEntries(Object.entries(body).filter(([name]) => !name.includes('@')));
}
