import { segment } from '../common/url.js';
import type { CallOptions, DirectoryConnection } from './options.js';
import { list, send } from './request.js';
import type { AuthenticationMethod } from './types/user.js';

/** The collections of methods of one kind. */
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

/** Changing the ways in which a user can sign in; which kinds take what, the service says (405 otherwise). */
export interface AuthenticationMethods {
  /** All of them, or those of one kind. */
  list(userId: string, collection?: MethodCollection, call?: CallOptions): AsyncIterable<AuthenticationMethod>;
  /** Registers a method; secrets (a pass, a key) are in the answer this once. */
  create(
    userId: string,
    collection: MethodCollection,
    method: Readonly<Record<string, unknown>>,
    call?: CallOptions,
  ): Promise<AuthenticationMethod>;
  update(
    userId: string,
    collection: MethodCollection,
    id: string,
    changes: Readonly<Record<string, unknown>>,
    call?: CallOptions,
  ): Promise<void>;
  delete(userId: string, collection: MethodCollection, id: string, call?: CallOptions): Promise<void>;
  /** Sets a password, or has one made up and gives it back. */
  resetPassword(userId: string, newPassword?: string, call?: CallOptions): Promise<{ readonly newPassword: string | null }>;
}

/** The id that every password method has. */
const passwordMethodId = '28c10230-6103-485e-b985-444c60001490';

/** The endpoints below `/users/{id}/authentication`. */
export function authenticationMethods(connection: DirectoryConnection): AuthenticationMethods {
  const of = (userId: string, collection: string, id?: string): string =>
    `users/${segment(userId)}/authentication/${collection}${id === undefined ? '' : `/${segment(id)}`}`;
  return {
    list: (userId, collection = undefined, call = undefined) => list(connection, of(userId, collection ?? 'methods'), call),
    create: (userId, collection, method, call) => send(connection, 'POST', of(userId, collection), method, call),
    update: async (userId, collection, id, changes, call) =>
      void (await send<unknown>(connection, 'PATCH', of(userId, collection, id), changes, call)),
    delete: (userId, collection, id, call) => send<void>(connection, 'DELETE', of(userId, collection, id), undefined, call),
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
