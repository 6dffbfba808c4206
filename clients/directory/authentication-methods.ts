import { segment } from '../common/url.js';
import type { CallOptions, DirectoryConnection } from './connection.js';
import { list, send } from './request.js';
import type { AuthenticationMethod } from './types/user.js';

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
 * Lists and changes the authentication methods of users; the service answers 405 for kinds that do
 * not support a change.
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
  /**
   * Sets a password; without `newPassword`, the service generates one. Only a generated one is in
   * the answer: else it is null.
   */
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
  const methodPath = (userId: string, collection: string, id?: string): string =>
    `users/${segment(userId)}/authentication/${collection}${id === undefined ? '' : `/${segment(id)}`}`;
  return {
    list: (userId, collection = undefined, call = undefined) =>
      list(connection, methodPath(userId, collection ?? 'methods'), call),
    create: (userId, collection, method, call) =>
      send(connection, 'POST', methodPath(userId, collection), method, call),
    update: async (userId, collection, id, changes, call) =>
      void (await send<unknown>(
        connection,
        'PATCH',
        methodPath(userId, collection, id),
        changes,
        call,
      )),
    delete: (userId, collection, id, call) =>
      send<void>(connection, 'DELETE', methodPath(userId, collection, id), undefined, call),
    resetPassword: (userId, newPassword, call) =>
      send(
        connection,
        'POST',
        `${methodPath(userId, 'methods', passwordMethodId)}/resetPassword`,
        newPassword === undefined ? {} : { newPassword },
        call,
      ),
  };
}
