import { badRequest, objectNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { bindings } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import { registration } from '../../../kinds/registration/registration.js';

/** What may own applications and service principals. */
export const ownerTypes: readonly string[] = ['user', 'servicePrincipal'];

/**
 * The owners that a new application or service principal gets: those of `owners@odata.bind`, else the signed-in user who makes it.
 *
 * @throws DirectoryError 400 for too many, the same twice, or something that can't own; 404 for an unknown one.
 */
export async function ownersOfNew(request: DirectoryRequest, body: Body): Promise<readonly StoredObject[]> {
  const { directory, caller } = request;
  const bound = bindings(directory, body, 'owners', ownerTypes);
  if (bound === undefined) {
    const creator = caller.kind === 'user' ? await directory.objects.get(caller.objectId) : undefined;
    return creator ? [creator] : [];
  }
  if (bound.length > registration.limits.bindsPerRequest)
    throw badRequest(
      `At most ${registration.limits.bindsPerRequest} references can be bound in one request; ${bound.length} were given.`,
      'owners',
    );
  if (new Set(bound.map((id) => id.toLowerCase())).size < bound.length)
    throw badRequest('Request contains a property with duplicate values.', 'owners');
  const owners: StoredObject[] = [];
  for (const id of bound) {
    const owner = await directory.objects.get(id);
    if (!owner) throw objectNotFound(id);
    if (!ownerTypes.includes(owner.type)) throw badRequest(`Not a valid reference update: a ${owner.type} can't be an owner.`, 'owners');
    owners.push(owner);
  }
  return owners;
}
