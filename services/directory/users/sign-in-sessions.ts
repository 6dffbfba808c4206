import type { Access } from '../authorization/access.js';
import { ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { formatInstant } from '../kernel/presentation.js';
import { isOwnAccount, requireUser } from './user-type.js';

const permissions = ['User.RevokeSessions.All', 'User.ReadWrite.All', 'Directory.ReadWrite.All'];

/** Who may revoke sessions: everyone their own ones, those of others with a role. */
const revokeAccess: Access = {
  delegated: [...permissions, 'User.ReadWrite'],
  application: permissions,
  roles: [
    'globalAdministrator',
    'userAdministrator',
    'helpdeskAdministrator',
    'authenticationAdministrator',
    'privilegedAuthenticationAdministrator',
  ],
  admitsWithoutRole: isOwnAccount,
};

/** Adds `revokeSignInSessions`, which ends a user's sessions and refresh tokens. */
export function addSignInSessionRoutes(router: Router): void {
  router.on('POST', '/users/{id}/revokeSignInSessions', revokeAccess, revokeSessions);
}

async function revokeSessions(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { id } = await directory.sql.transaction(async () => {
    const user = await requireUser(request);
    return directory.objects.save(user, {
      ...user.body,
      signInSessionsValidFromDateTime: formatInstant(directory.clock.now()),
    });
  });
  await directory.endSessionsOf?.(id);
  return ok(request.withContext('Edm.Boolean', { value: true }));
}
