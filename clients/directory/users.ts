import { isServiceError } from '../common/service-error.js';
import { segment } from '../common/url.js';
import { objects } from './objects.js';
import type { Objects } from './objects.js';
import type { CallOptions, DirectoryConnection, ReadOptions } from './options.js';
import { relatedObjects } from './references.js';
import type { RelatedObjects } from './references.js';
import { list, referenceTo, send } from './request.js';
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
  /** The ways in which a user can sign in (spec 001, "List authentication methods"). */
  authenticationMethods(id: string, call?: CallOptions): AsyncIterable<AuthenticationMethod>;
}

/** The signed-in user; delegated tokens only. */
export interface Me {
  get(options?: ReadOptions): Promise<User>;
  authenticationMethods(call?: CallOptions): AsyncIterable<AuthenticationMethod>;
  memberOf(call?: CallOptions): AsyncIterable<DirectoryObject>;
}

/** The user endpoints. */
export function users(connection: DirectoryConnection): Users {
  const of = (id: string): string => `users/${segment(id)}`;
  return {
    ...objects<User, UserDraft>(connection, 'users'),
    memberOf: relatedObjects(connection, 'users', 'memberOf'),
    transitiveMemberOf: relatedObjects(connection, 'users', 'transitiveMemberOf'),
    ownedObjects: relatedObjects(connection, 'users', 'ownedObjects'),
    async manager(id, options) {
      try {
        return await send<DirectoryObject>(connection, 'GET', `${of(id)}/manager`, undefined, options);
      } catch (error) {
        if (isServiceError(error, 404)) return undefined;
        throw error;
      }
    },
    setManager: (id, managerId, call) =>
      send<void>(connection, 'PUT', `${of(id)}/manager/$ref`, { '@odata.id': referenceTo(connection, managerId, call) }, call),
    removeManager: (id, call) => send<void>(connection, 'DELETE', `${of(id)}/manager/$ref`, undefined, call),
    authenticationMethods: (id, call) => list(connection, `${of(id)}/authentication/methods`, call),
  };
}

/** The endpoints of the signed-in user. */
export function me(connection: DirectoryConnection): Me {
  return {
    get: (options) => send<User>(connection, 'GET', 'me', undefined, options),
    authenticationMethods: (call) => list(connection, 'me/authentication/methods', call),
    memberOf: (call) => list(connection, 'me/memberOf', call),
  };
}
