import type { DirectoryObject } from '../../../clients/directory/index.js';
import type { SeedEntry } from '../../../services/common/seed.js';

/** The properties that are read of each user. */
export const userProperties = [
  'id',
  'userPrincipalName',
  'displayName',
  'mail',
  'userType',
  'accountEnabled',
];

/** The properties that are read of each service principal. */
export const servicePrincipalProperties = [
  'id',
  'appId',
  'displayName',
  'accountEnabled',
  'appRoleAssignmentRequired',
];

/** How many objects a page holds when all objects of a type are read. */
export const pageSize = 999;

/** The users and service principals that were read, by id, and groups that are still to be read. */
export class CollectedPrincipals {
  readonly users = new Map<string, SeedEntry>();
  readonly servicePrincipals = new Map<string, SeedEntry>();
  /** The ids of groups that have a role of an application, where sign-in may need one. */
  readonly assignedGroupIds = new Set<string>();

  /** Adds a user, or replaces what was read of them before. */
  addUser(user: DirectoryObject, extra: SeedEntry = {}): void {
    this.users.set(user.id, { ...seedEntryOf(user), ...extra });
  }

  /** Adds a user or service principal that another object refers to; ignores other objects. */
  addReferenced(object: DirectoryObject): void {
    const { id } = object;
    const type = object['@odata.type'] ?? '';
    if (type.endsWith('user') && !this.users.has(id)) this.users.set(id, seedEntryOf(object));
    if (type.endsWith('servicePrincipal')) this.addServicePrincipal(object);
  }

  /** Adds a service principal, unless all its properties were read before. */
  addServicePrincipal(object: DirectoryObject): void {
    const known = this.servicePrincipals.get(object.id);
    if (known?.['appRoleAssignmentRequired'] === undefined)
      this.servicePrincipals.set(object.id, seedEntryOf(object));
  }
}

/** An object without annotations and unset values. */
export function seedEntryOf(object: object): SeedEntry {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([name, value]) =>
        !name.startsWith('@') && value !== null && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** A list, or undefined if it is empty: seed entries leave out empty lists. */
export function undefinedIfEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
