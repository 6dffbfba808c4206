import type { CallOptions, DirectoryConnection, ReadOptions } from './connection.js';
import { list, send } from './request.js';
import type { DirectoryObject } from './types/directory-object.js';
import type { AuthenticationMethod, User } from './types/user.js';

/** The signed-in user; delegated tokens only. */
export interface Me {
  get(options?: ReadOptions): Promise<User>;
  authenticationMethods(call?: CallOptions): AsyncIterable<AuthenticationMethod>;
  memberOf(call?: CallOptions): AsyncIterable<DirectoryObject>;
}

/** The endpoints of the signed-in user. */
export function me(connection: DirectoryConnection): Me {
  return {
    get: (options) => send<User>(connection, 'GET', 'me', undefined, options),
    authenticationMethods: (call) => list(connection, 'me/authentication/methods', call),
    memberOf: (call) => list(connection, 'me/memberOf', call),
  };
}
