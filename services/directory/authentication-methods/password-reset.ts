import { randomBytes, randomUUID } from 'node:crypto';
import { badRequest, denied, objectNotFound } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { wholeSeconds } from '../kernel/instant.js';
import { keepPassword, readPasswordProfile } from '../users/passwords.js';
import { accessOf, changing, findOwner, reading } from './method-access.js';
import { methodSubtypes } from './subtypes.js';

const operations = 'authentication-operation';

/** Resetting somebody's password, and the operation that says how far it got: here it is done at once. */
export function passwordRoutes(router: Router): void {
  for (const collection of ['methods', 'passwordMethods'])
    router.on('POST', `/users/{id}/authentication/${collection}/{method}/resetPassword`, accessOf(changing), resetPassword);
  router.on('GET', '/users/{id}/authentication/operations/{operation}', accessOf(reading), getOperation);
}

async function resetPassword(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { newPassword } = request.optionalJson();
  const { user, self } = await findOwner(request, changing);
  if (self) throw denied('Insufficient privileges to complete the operation: an administrator resets the password of somebody else.');
  const method = request.parameter('method');
  if (method.toLowerCase() !== methodSubtypes[0]?.fixedId) throw objectNotFound(method);
  if (newPassword !== undefined && newPassword !== null && typeof newPassword !== 'string')
    throw badRequest('newPassword must be a string.', 'newPassword');
  const password = newPassword ?? `${randomBytes(9).toString('base64url')}aA1!`;
  const profile = await readPasswordProfile({ password, forceChangePasswordNextSignIn: true }, user.body['passwordPolicies']);
  const id = randomUUID();
  const now = wholeSeconds(directory.clock.now());
  await directory.sql.write(async () => {
    const current = await directory.objects.getOfType('user', user.id);
    if (!current || !profile?.password) throw objectNotFound(user.id);
    await keepPassword(directory, user.id, profile.password);
    await directory.objects.save(current, { ...current.body, passwordProfile: profile.shown, lastPasswordChangeDateTime: now });
    await directory.items.put(operations, user.id, id, { status: 'succeeded', statusDetail: null, createdDateTime: now });
  });
  return {
    status: 202,
    headers: { location: `${request.base}/users/${user.id}/authentication/operations/${id}` },
    body: {
      '@odata.context': `${request.base}/$metadata#${directory.namespace}.passwordResetResponse`,
      newPassword: newPassword === undefined || newPassword === null ? password : null,
    },
  };
}

async function getOperation(request: DirectoryRequest): Promise<Reply> {
  const { user } = await findOwner(request, reading);
  const id = request.parameter('operation');
  const operation = await request.directory.items.get(operations, user.id, id);
  if (!operation) throw objectNotFound(id);
  const { createdDateTime, ...state } = operation.body;
  return ok({
    '@odata.context': `${request.base}/$metadata#users('${user.id}')/authentication/operations/$entity`,
    id,
    createdDateTime,
    lastActionDateTime: createdDateTime,
    resourceLocation: null,
    ...state,
  });
}
