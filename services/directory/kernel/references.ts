import { isGuid } from '../../../core/values/guid.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { pathOf } from '../../common/call.js';
import { badRequest, objectNotFound } from '../http/answers.js';
import { parsePath, type PathToken } from '../http/path.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Directory } from './directory.js';

/** A reference's address, in parts. */
interface ReferenceAddress {
  /** `users`; undefined for a bare id. */
  readonly collection?: string;
  readonly id: string;
}

/**
 * Parses a reference's address: `https://host/v1.0/directoryObjects/{id}`, `…/users/{id}`,
 * `…/users('id')`. Host and version are ignored; relative addresses are accepted.
 *
 * @throws DirectoryError 400 when it names no object.
 */
function parseReference(reference: unknown): ReferenceAddress {
  const path =
    typeof reference === 'string' ? pathOf(reference.replace(/^https?:\/\/[^/]*/i, '')) : '';
  const [id, collection] = tokensOf(path).reverse();
  if (id === undefined || id.kind === 'key')
    throw badRequest(
      'Not a valid reference update: "@odata.id" must be the address of a directory object.',
    );
  return { id: id.text, ...omitUndefined({ collection: collection?.text }) };
}

function tokensOf(path: string): PathToken[] {
  try {
    return parsePath(path);
  } catch (cause) {
    throw badRequest(`Not a valid reference update: ${(cause as Error).message}`);
  }
}

/** The id in a reference's address. @throws DirectoryError 400 when it names no object. */
export function idOfReference(reference: unknown): string {
  return parseReference(reference).id;
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
  const { id, collection } = parseReference(reference);
  if (collection === undefined || collection.toLowerCase() === 'directoryobjects') return id;
  const type =
    directory.types.findByCollection(collection) ??
    directory.types.findByCollection(`policies/${collection}`);
  if (type === undefined)
    throw badRequest(
      `Not a valid reference update: there is no collection '${collection.slice(0, 40)}' of directory objects.`,
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
 * The target of a reference with this id; users are also found by user principal name.
 *
 * @throws DirectoryError 404.
 */
export async function resolveReference(directory: Directory, id: string): Promise<StoredObject> {
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
