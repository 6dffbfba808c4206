import type { Access } from '../authorization/access.js';
import { hasRole, requirePermission } from '../authorization/access.js';
import type { DirectoryRole } from '../authorization/directory-roles.js';
import { denied, objectNotFound } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../kernel/directory.js';
import { idPattern } from '../kernel/references.js';
import type { StoredObject } from '../store/objects.js';
import { presentMethod } from './present-method.js';
import { methodsOf, seedMethods } from './stored-methods.js';
import { methodSubtypes } from './subtypes.js';

const others = ['UserAuthenticationMethod.Read.All', 'UserAuthenticationMethod.ReadWrite.All'];
const own = ['UserAuthenticationMethod.Read', 'UserAuthenticationMethod.ReadWrite', ...others];
const readMethods: Access = { delegated: own, application: others };
/** Who may look at somebody else's methods (spec 001, "Authentication", 4). */
const readers: readonly DirectoryRole[] = ['globalReader', 'authenticationAdministrator', 'privilegedAuthenticationAdministrator'];

/** The authentication methods of users, as far as they can be looked at. */
export const authenticationMethods: DirectoryModule = {
  routes(router) {
    router.on('GET', '/users/{id}/authentication/methods', readMethods, (request) => list(request));
    router.on('GET', '/users/{id}/authentication/methods/{method}', readMethods, (request) => get(request));
    for (const { collection } of methodSubtypes) {
      router.on('GET', `/users/{id}/authentication/${collection}`, readMethods, (request) => list(request, collection));
      router.on('GET', `/users/{id}/authentication/${collection}/{method}`, readMethods, (request) => get(request, collection));
    }
  },
  linkSeeded: seedMethods,
};

interface Seen {
  readonly user: StoredObject;
  readonly masked: boolean;
}

/** The user of the path, and whether phone numbers are masked. 403 comes before 404. */
async function look(request: DirectoryRequest): Promise<Seen> {
  const { caller, directory } = request;
  const key = request.parameter('id');
  const [user] = idPattern.test(key)
    ? [await directory.objects.getOfType('user', key)]
    : await directory.objects.findBy('user', 'user_principal_name', key);
  const self = caller.kind === 'user' && (user?.id ?? key.toLowerCase()) === caller.objectId.toLowerCase();
  if (caller.kind === 'user' && !self) {
    requirePermission(caller, ...others);
    if (!hasRole(caller, ...readers))
      throw denied(`Insufficient privileges to complete the operation: one of the directory roles ${readers.join(', ')} is needed.`);
  }
  if (!user) throw objectNotFound(key);
  const unmasked = self || caller.kind !== 'user' || hasRole(caller, 'globalReader', 'privilegedAuthenticationAdministrator');
  return { user, masked: !unmasked };
}

async function list(request: DirectoryRequest, collection?: string): Promise<Reply> {
  const { user, masked } = await look(request);
  const methods = await methodsOf(request.directory, user);
  const shown = methods.filter((method) => collection === undefined || belongs(String(method.body['subtype']), collection));
  return ok({
    '@odata.context': `${request.base}/$metadata#users('${user.id}')/authentication/${collection ?? 'methods'}`,
    value: shown.map((method) => presentMethod(request.directory, method, masked)),
  });
}

async function get(request: DirectoryRequest, collection?: string): Promise<Reply> {
  const { user, masked } = await look(request);
  const id = request.parameter('method');
  const methods = await methodsOf(request.directory, user);
  const method = methods.find(
    (each) => each.id === id.toLowerCase() && (collection === undefined || belongs(String(each.body['subtype']), collection)),
  );
  if (!method) throw objectNotFound(id);
  const context = `${request.base}/$metadata#users('${user.id}')/authentication/${collection ?? 'methods'}/$entity`;
  return ok({ '@odata.context': context, ...presentMethod(request.directory, method, masked) });
}

function belongs(subtype: string, collection: string): boolean {
  return methodSubtypes.some((each) => each.name === subtype && each.collection === collection);
}
