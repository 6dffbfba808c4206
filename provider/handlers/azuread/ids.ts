import { guidRegexSource } from '../../../core/values/guid.js';
import { ProviderFailure } from '../handler.js';

/** The last part of an id such as `/applications/<uuid>`: the object id. */
export function objectIdIn(id: string): string {
  return id.split('/').at(-1) ?? '';
}

/** The object id of the application in `/applications/<uuid>` and in the ids of its parts. */
export function applicationObjectIdIn(id: string): string {
  return new RegExp(guidRegexSource).exec(id)?.[0] ?? '';
}

/** The `id` of an application in a state. */
export const applicationId = (objectId: string): string => `/applications/${objectId}`;
/** The `id` of a group in a state. */
export const groupId = (objectId: string): string => `/groups/${objectId}`;
/** The `id` of a service principal in a state. */
export const servicePrincipalId = (objectId: string): string => `/servicePrincipals/${objectId}`;
/** The `id` of a user in a state. */
export const userId = (objectId: string): string => `/users/${objectId}`;
/** The `id` of an administrative unit in a state. */
export const administrativeUnitId = (objectId: string): string =>
  `/directory/administrativeUnits/${objectId}`;

/**
 * The parts of an imported id by the names in its format: names that end with `Id`, such as
 * `{objectId}`, are UUIDs, others are any text.
 *
 * @throws ProviderFailure with the expected format.
 */
export function parseImport(format: string, id: string): Readonly<Record<string, string>> {
  const names: string[] = [];
  const pattern = format.replace(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return name.endsWith('Id') ? `(${guidRegexSource})` : '(.+)';
  });
  const match = new RegExp(`^${pattern}$`).exec(id);
  if (match === null)
    throw new ProviderFailure(
      `parsing "${id}": the ID of the resource to import is not valid`,
      `Expected the form ${format}.`,
    );
  return Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
}

/** Migrates the `id` of a state: first versions contain object ids, later ones contain paths. */
export function prefixBareId(
  collection: string,
): (version: number, state: Record<string, unknown>) => Record<string, unknown> {
  return (_, state) => {
    const id = String(state['id'] ?? '');
    return id === '' || id.startsWith('/') ? state : { ...state, id: `/${collection}/${id}` };
  };
}

/** Refuses to create an existing object, in the official provider's words. */
export function refuseExisting(exists: boolean, id: string, typeName: string): void {
  if (!exists) return;
  throw new ProviderFailure(
    `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "${typeName}" for more information.`,
  );
}
