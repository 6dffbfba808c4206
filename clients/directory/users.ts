import { segment } from '../common/url.js';
import { objects, type Objects } from './objects.js';
import type { CallOptions, DirectoryConnection, ReadOptions } from './connection.js';
import { relatedObjects, type RelatedObjects } from './references.js';
import { getIfPresent, list, referenceTo, send } from './request.js';
import type { DirectoryObject } from './types/directory-object.js';
import type { AuthenticationMethod, User, UserDraft } from './types/user.js';

/** Users by id or user principal name, with their manager and authentication methods. */
export interface Users extends Objects<User, UserDraft> {
  readonly memberOf: RelatedObjects;
  readonly transitiveMemberOf: RelatedObjects;
  readonly ownedObjects: RelatedObjects;
  /** The manager, undefined where there is none. */
  manager(id: string, options?: ReadOptions): Promise<DirectoryObject | undefined>;
  setManager(id: string, managerId: string, call?: CallOptions): Promise<void>;
  removeManager(id: string, call?: CallOptions): Promise<void>;
  /** The authentication methods of a user (Directory rules, "List authentication methods"). */
  authenticationMethods(id: string, call?: CallOptions): AsyncIterable<AuthenticationMethod>;
}

/** The user endpoints. */
export function users(connection: DirectoryConnection): Users {
  const userPath = (id: string): string => `users/${segment(id)}`;
  return {
    ...objects<User, UserDraft>(connection, 'users'),
    memberOf: relatedObjects(connection, 'users', 'memberOf'),
    transitiveMemberOf: relatedObjects(connection, 'users', 'transitiveMemberOf'),
    ownedObjects: relatedObjects(connection, 'users', 'ownedObjects'),
    manager: (id, options) =>
      getIfPresent<DirectoryObject>(connection, `${userPath(id)}/manager`, options),
    setManager: (id, managerId, call) =>
      send<void>(
        connection,
        'PUT',
        `${userPath(id)}/manager/$ref`,
        { '@odata.id': referenceTo(connection, managerId, call) },
        call,
      ),
    removeManager: (id, call) =>
      send<void>(connection, 'DELETE', `${userPath(id)}/manager/$ref`, undefined, call),
    authenticationMethods: (id, call) =>
      list(connection, `${userPath(id)}/authentication/methods`, call),
  };
}
