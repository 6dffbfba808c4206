import { type Access, hasRole, requirePermission, requireRole } from '../authorization/access.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import { objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { findUser } from '../users/find-user.js';
import type { StoredObject } from '../store/objects.js';

/** Who may look at or change methods: the permissions, and the roles that somebody else's methods need. */
export interface MethodAccess {
  /** Of which a signed-in user needs one for others, and an application always. */
  readonly others: readonly string[];
  /** Of which a signed-in user needs one for himself. */
  readonly own: readonly string[];
  readonly roles: readonly DirectoryRole[];
}

const writeAll = 'UserAuthenticationMethod.ReadWrite.All';
const readAll = ['UserAuthenticationMethod.Read.All', writeAll];

/** Directory rules, "Authentication", 2 to 4. */
export const reading: MethodAccess = {
  others: readAll,
  own: ['UserAuthenticationMethod.Read', 'UserAuthenticationMethod.ReadWrite', ...readAll],
  roles: ['globalReader', 'authenticationAdministrator', 'privilegedAuthenticationAdministrator'],
};

/** The same for changes: a reader's role changes nothing. */
export const changing: MethodAccess = {
  others: [writeAll],
  own: ['UserAuthenticationMethod.ReadWrite', writeAll],
  roles: ['authenticationAdministrator', 'privilegedAuthenticationAdministrator'],
};

/** The router's rule, which {@link findOwner} narrows down once it is known whose methods they are. */
export function accessOf({ own, others }: MethodAccess): Access {
  return { delegated: own, application: others };
}

/** Whose methods a request is about. */
export interface MethodOwner {
  readonly user: StoredObject;
  readonly self: boolean;
  /** Whether phone numbers are masked for the caller. */
  readonly masked: boolean;
}

/** The user of the path. 403 comes before 404. @throws DirectoryError */
export async function findOwner(request: DirectoryRequest, access: MethodAccess): Promise<MethodOwner> {
  const { caller } = request;
  const key = request.parameter('id');
  const user = await findUser(request, key);
  const self = caller.kind === 'user' && (user?.id ?? key.toLowerCase()) === caller.objectId.toLowerCase();
  if (caller.kind === 'user' && !self) {
    requirePermission(caller, ...access.others);
    requireRole(caller, access.roles);
  }
  if (!user) throw objectNotFound(key);
  const unmasked = self || caller.kind !== 'user' || hasRole(caller, 'globalReader', 'privilegedAuthenticationAdministrator');
  return { user, self, masked: !unmasked };
}
