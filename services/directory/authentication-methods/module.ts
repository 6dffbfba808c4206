import { objectNotFound } from '../http/errors.js';
import { ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import type { StoredObject } from '../store/objects.js';
import { changeRoutes, passwordRoutes } from './change-methods.js';
import { accessOf, findOwner, methodsOf, reading, seedMethods } from './stored-methods.js';
import { presentMethod } from './present-method.js';
import { methodSubtypes } from './subtypes.js';

const read = accessOf(reading);

/** The authentication methods of users: looking at them, and registering, changing and removing them. */
export const authenticationMethods: DirectoryModule = {
  routes(router) {
    router.on('GET', '/users/{id}/authentication/methods', read, (request) => list(request));
    router.on('GET', '/users/{id}/authentication/methods/{method}', read, (request) => get(request));
    for (const { collection } of methodSubtypes) {
      router.on('GET', `/users/{id}/authentication/${collection}`, read, (request) => list(request, collection));
      router.on('GET', `/users/{id}/authentication/${collection}/{method}`, read, (request) => get(request, collection));
    }
    changeRoutes(router);
    passwordRoutes(router);
  },
  linkSeeded: seedMethods,
};

async function list(request: DirectoryRequest, collection?: string): Promise<Reply> {
  const { user, masked } = await findOwner(request, reading);
  const methods = await methodsOf(request.directory, user);
  const shown = methods.filter((method) => collection === undefined || belongs(String(method.body['subtype']), collection));
  return ok({
    '@odata.context': methodContext(request, user, collection),
    value: shown.map((method) => presentMethod(request.directory, method, masked)),
  });
}

async function get(request: DirectoryRequest, collection?: string): Promise<Reply> {
  const { user, masked } = await findOwner(request, reading);
  const id = request.parameter('method');
  const methods = await methodsOf(request.directory, user);
  const method = methods.find(
    (each) => each.id === id.toLowerCase() && (collection === undefined || belongs(String(each.body['subtype']), collection)),
  );
  if (!method) throw objectNotFound(id);
  const context = `${methodContext(request, user, collection)}/$entity`;
  return ok({ '@odata.context': context, ...presentMethod(request.directory, method, masked) });
}

/** `…$metadata#users('id')/authentication/methods`. */
function methodContext(request: DirectoryRequest, user: StoredObject, collection = 'methods'): string {
  return `${request.base}/$metadata#users('${user.id}')/authentication/${collection}`;
}

function belongs(subtype: string, collection: string): boolean {
  return methodSubtypes.some((each) => each.name === subtype && each.collection === collection);
}
