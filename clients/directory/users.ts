import { undefinedIfNotFound } from '../common/service-error.js';
import { segment } from '../common/url.js';
import { objects, type Objects } from './objects.js';
import type { CallOptions, DirectoryConnection, ReadOptions } from './options.js';
import { relatedObjects, type RelatedObjects } from './references.js';
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
  /** The authentication methods of a user (Directory rules, "List authentication methods"). */
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
    manager: (id, options) =>
      undefinedIfNotFound(
        send<DirectoryObject>(connection, 'GET', `${of(id)}/manager`, undefined, options),
      ),
    setManager: (id, managerId, call) =>
      send<void>(
        connection,
        'PUT',
        `${of(id)}/manager/$ref`,
        { '@odata.id': referenceTo(connection, managerId, call) },
        call,
      ),
    removeManager: (id, call) =>
      send<void>(connection, 'DELETE', `${of(id)}/manager/$ref`, undefined, call),
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

/** The collections of each kind of authentication method. */
export type MethodCollection =
  | 'passwordMethods'
  | 'phoneMethods'
  | 'emailMethods'
  | 'fido2Methods'
  | 'microsoftAuthenticatorMethods'
  | 'softwareOathMethods'
  | 'temporaryAccessPassMethods'
  | 'windowsHelloForBusinessMethods'
  | 'platformCredentialMethods'
  | 'externalAuthenticationMethods'
  | 'qrCodePinMethod';

/**
 * Changes authentication methods; the service answers 405 for kinds that do not support a change.
 */
export interface AuthenticationMethods {
  /** All of them, or those of one kind. */
  list(
    userId: string,
    collection?: MethodCollection,
    call?: CallOptions,
  ): AsyncIterable<AuthenticationMethod>;
  /** Registers a method; only this answer contains its secrets (a pass, a key). */
  create(
    userId: string,
    collection: MethodCollection,
    method: Readonly<Record<string, unknown>>,
    call?: CallOptions,
  ): Promise<AuthenticationMethod>;
  /** Changes a method, such as the number of a phone. */
  update(
    userId: string,
    collection: MethodCollection,
    id: string,
    changes: Readonly<Record<string, unknown>>,
    call?: CallOptions,
  ): Promise<void>;
  /** Removes a method. */
  delete(
    userId: string,
    collection: MethodCollection,
    id: string,
    call?: CallOptions,
  ): Promise<void>;
  /** Sets a password; the service generates one when none is given. */
  resetPassword(
    userId: string,
    newPassword?: string,
    call?: CallOptions,
  ): Promise<{ readonly newPassword: string | null }>;
}

/** The id of every password method. */
const passwordMethodId = '28c10230-6103-485e-b985-444c60001490';

/** The endpoints below `/users/{id}/authentication`. */
export function authenticationMethods(connection: DirectoryConnection): AuthenticationMethods {
  const of = (userId: string, collection: string, id?: string): string =>
    `users/${segment(userId)}/authentication/${collection}${id === undefined ? '' : `/${segment(id)}`}`;
  return {
    list: (userId, collection = undefined, call = undefined) =>
      list(connection, of(userId, collection ?? 'methods'), call),
    create: (userId, collection, method, call) =>
      send(connection, 'POST', of(userId, collection), method, call),
    update: async (userId, collection, id, changes, call) =>
      void (await send<unknown>(connection, 'PATCH', of(userId, collection, id), changes, call)),
    delete: (userId, collection, id, call) =>
      send<void>(connection, 'DELETE', of(userId, collection, id), undefined, call),
    resetPassword: (userId, newPassword, call) =>
      send(
        connection,
        'POST',
        `${of(userId, 'methods', passwordMethodId)}/resetPassword`,
        newPassword === undefined ? {} : { newPassword },
        call,
      ),
  };
}
