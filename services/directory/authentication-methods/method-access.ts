import { type Access, hasRole, requirePermission, requireRole } from '../authorization/access.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import { objectNotFound } from '../http/answers.js';
import { pathKeyValue } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import { findUser } from '../users/user-type.js';

/**
 * Who may read or change methods: the permissions, and the roles for the methods of other users.
 */
export interface MethodRights {
  /**
   * A signed-in user needs one of these for the methods of others, an application for all methods.
   */
  readonly others: readonly string[];
  /** A signed-in user needs one of these for their own methods. */
  readonly own: readonly string[];
  /** A signed-in user also needs one of these for the methods of others. */
  readonly roles: readonly DirectoryRole[];
}

const writeAll = 'UserAuthenticationMethod.ReadWrite.All';
const readAll = ['UserAuthenticationMethod.Read.All', writeAll];

/** Who may read methods (Directory rules, "Authentication", 2 to 4). */
export const methodReadRights: MethodRights = {
  others: readAll,
  own: ['UserAuthenticationMethod.Read', 'UserAuthenticationMethod.ReadWrite', ...readAll],
  roles: ['globalReader', 'authenticationAdministrator', 'privilegedAuthenticationAdministrator'],
};

/** Who may change methods. */
export const methodChangeRights: MethodRights = {
  others: [writeAll],
  own: ['UserAuthenticationMethod.ReadWrite', writeAll],
  roles: ['authenticationAdministrator', 'privilegedAuthenticationAdministrator'],
};

/** The access rule of routes; {@link findMethodOwner} checks the rest once the owner is known. */
export function routeAccessOf({ own, others }: MethodRights): Access {
  return { delegated: own, application: others };
}

/** The owner of the methods in a request. */
export interface MethodOwner {
  readonly id: string;
  readonly user: StoredObject;
  /** Whether the caller is the owner. */
  readonly isSelf: boolean;
  /** Whether phone numbers are masked for the caller. */
  readonly arePhonesMasked: boolean;
}

/**
 * The user of the path, if the caller may read or change their methods.
 *
 * @throws DirectoryError 403, which takes precedence over 404.
 */
export async function findMethodOwner(request: DirectoryRequest): Promise<MethodOwner> {
  const { caller } = request;
  const rights = request.method === 'GET' ? methodReadRights : methodChangeRights;
  const key = request.key('id');
  const user = await findUser(request, key);
  const keyValue = pathKeyValue(key);
  const isSelf =
    caller.kind === 'user' &&
    (user?.id ?? keyValue.toLowerCase()) === caller.objectId.toLowerCase();
  if (caller.kind === 'user' && !isSelf) {
    requirePermission(caller, ...rights.others);
    requireRole(caller, rights.roles);
  }
  if (!user) throw objectNotFound(keyValue);
  const seesPhoneNumbers =
    isSelf ||
    caller.kind !== 'user' ||
    hasRole(caller, 'globalReader', 'privilegedAuthenticationAdministrator');
  return { id: user.id, user, isSelf, arePhonesMasked: !seesPhoneNumbers };
}
