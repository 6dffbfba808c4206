import type { Access } from '../authorization/access.js';
import { ok } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Directory } from '../kernel/directory.js';
import { checkSelect, present } from '../kernel/presentation.js';
import { resolveSeedReference } from '../kernel/seeding.js';
import { mayRead } from '../membership/hidden-memberships.js';
import type { Body, StoredObject } from '../store/objects.js';
import { managerNotFound } from './user-rules.js';

/** The manager of a user or contact. */
export async function managerOf(
  directory: Directory,
  object: StoredObject,
): Promise<StoredObject | undefined> {
  return (await directory.links.targets(object, 'manager', 0, 1))[0];
}

/**
 * Adds the reading of the manager of a user or contact, and of the reference to it.
 *
 * @param path the path of the object: `/users/{id}`.
 * @param find finds the object, and checks that the caller may see it.
 */
export function addManagerReadRoutes(
  router: Router,
  path: string,
  access: Access,
  find: (request: DirectoryRequest) => Promise<StoredObject>,
): void {
  const requireManager = async (request: DirectoryRequest): Promise<StoredObject> => {
    const manager = await managerOf(request.directory, await find(request));
    if (!manager) throw managerNotFound();
    return manager;
  };
  router.on('GET', `${path}/manager`, access, async (request) => {
    const manager = await requireManager(request);
    checkSelect(
      request.directory,
      request.directory.types.get(manager.type),
      request.options.select,
      'object',
    );
    const view = present(request.directory, manager, {
      withODataType: true,
      select: request.options.select,
      masked: !mayRead(request, manager),
    });
    return ok(request.withContext('directoryObjects/$entity', view));
  });
  router.on('GET', `${path}/manager/$ref`, access, async (request) => {
    const { id } = await requireManager(request);
    return ok(
      request.withContext('$ref', { '@odata.id': `${request.base}/directoryObjects/${id}` }),
    );
  });
}

/**
 * Stores the manager that a seed names, unless the object has one.
 *
 * @param value an object with an id, or the reference itself.
 * @throws CAS4002 for an unknown manager.
 */
export async function seedManager(
  directory: Directory,
  list: string,
  object: StoredObject,
  value: unknown,
): Promise<void> {
  if ((await directory.links.count(object, 'manager')) > 0) return;
  const reference = typeof value === 'object' && value !== null ? (value as Body)['id'] : value;
  await directory.links.add(
    object,
    'manager',
    await resolveSeedReference(directory, `${list}: manager`, reference),
  );
}
