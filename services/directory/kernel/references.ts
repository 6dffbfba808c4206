import { isGuid } from '../../../core/values/guid.js';
import { badRequest, objectNotFound } from '../http/answers.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Directory } from './directory.js';

/**
 * The id in a reference's address: `https://host/v1.0/directoryObjects/{id}`, `…/users/{id}`,
 * `…/users('id')`. Host and version are ignored; relative addresses are accepted.
 *
 * @throws DirectoryError 400 when it names no object.
 */
export function idOfReference(reference: unknown): string {
  const last =
    typeof reference === 'string'
      ? /(?:^|\/)(?:[\w.]+\(['"]?)?([^/()'"]+)['"]?\)?\/?$/.exec(reference)?.[1]
      : undefined;
  if (last === undefined)
    throw badRequest(
      'Not a valid reference update: "@odata.id" must be the address of a directory object.',
    );
  try {
    return decodeURIComponent(last);
  } catch (cause) {
    throw badRequest(
      `Not a valid reference update: "@odata.id" is not correctly percent-encoded (${(cause as Error).message}).`,
    );
  }
}

/**
 * The id in a reference whose target may have one of the types. Only an address that names a
 * collection (`…/users/{id}`) tells the type; others are accepted.
 *
 * @param targetTypes the allowed types; undefined: all.
 * @throws DirectoryError 400 for an unknown collection, or one of a type that is not allowed.
 */
export function idOfAllowedReference(
  directory: Directory,
  reference: unknown,
  targetTypes?: readonly string[],
): string {
  const id = idOfReference(reference);
  const collection = /(?:^|\/)([^/()'"]+)(?:\/[^/()]+|\(['"]?[^/()'"]+['"]?\))\/?$/.exec(
    String(reference),
  )?.[1];
  if (collection === undefined || collection.toLowerCase() === 'directoryobjects') return id;
  const type =
    directory.types.findByCollection(collection) ??
    directory.types.findByCollection(`policies/${collection}`);
  if (type === undefined)
    throw badRequest(
      `Not a valid reference update: there is no collection '${collection}' of directory objects.`,
    );
  if (targetTypes !== undefined && !targetTypes.includes(type.name))
    throw badRequest(
      `Not a valid reference update: a ${type.name} is not allowed here; allowed are ${targetTypes.join(', ')}.`,
    );
  return id;
}

/** The id in the body of a `$ref` request: `{"@odata.id": "…"}`. */
export function idOfRefBody(
  directory: Directory,
  body: Body,
  targetTypes?: readonly string[],
): string {
  if (body['@odata.id'] === undefined)
    throw badRequest('Not a valid reference update: "@odata.id" is missing.');
  return idOfAllowedReference(directory, body['@odata.id'], targetTypes);
}

/**
 * The target of a reference; users are also found by user principal name.
 *
 * @throws DirectoryError 404.
 */
export async function resolveReference(
  directory: Directory,
  reference: unknown,
): Promise<StoredObject> {
  const id = idOfReference(reference);
  const object = await directory.objects.get(id);
  if (object) return object;
  const [user] = isGuid(id)
    ? []
    : await directory.objects.findBy('user', 'user_principal_name', id);
  if (!user) throw objectNotFound(id);
  return user;
}

/**
 * The ids that a body binds to a relationship (`owners@odata.bind`): one address or a list of them.
 *
 * @returns undefined if the body binds none.
 * @throws DirectoryError 400 for anything else.
 */
export function boundIds(
  directory: Directory,
  body: Body,
  property: string,
  targetTypes?: readonly string[],
): string[] | undefined {
  const value = body[`${property}@odata.bind`];
  if (value === undefined) return undefined;
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((each) => idOfAllowedReference(directory, each, targetTypes));
}

/** @throws DirectoryError 400 for a body that binds other relationships than the given ones. */
export function requireAllowedBinds(body: Body, allowed: readonly string[] = []): void {
  const suffix = '@odata.bind';
  const unsupported = Object.keys(body).find(
    (name) => name.endsWith(suffix) && !allowed.includes(name.slice(0, -suffix.length)),
  );
  if (unsupported === undefined) return;
  const hint =
    allowed.length === 0
      ? 'no relationship can be bound here'
      : `allowed are ${allowed.join(' and ')}`;
  throw badRequest(
    `Not a valid reference update: '${unsupported}' is not supported in this body; ${hint}.`,
    unsupported,
  );
}

/**
 * A body's properties, without annotations and bindings.
 *
 * @throws DirectoryError 400 for an invalid property name.
 */
export function plainProperties(body: Body): Record<string, unknown> {
  if (Object.hasOwn(body, '__proto__'))
    throw badRequest("'__proto__' is not a property name.", '__proto__');
  return Object.fromEntries(Object.entries(body).filter(([name]) => !name.includes('@')));
}
