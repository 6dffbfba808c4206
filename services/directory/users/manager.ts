import { badRequest } from '../http/errors.js';
import { noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { referringObjects } from '../kernel/referring-objects.js';
import { idOfRefBody, resolveReference } from '../kernel/references.js';
import { checkSelect, present } from '../kernel/present.js';
import type { StoredObject } from '../store/objects.js';
import { requireUser } from './find-user.js';
import { managerNotFound } from './user-rules.js';
import { userReadAccess, userWriteAccess } from './user-access.js';

/** The manager of a user, who reports to one, and what a user owns. */
export function managerRoutes(router: Router): void {
  router.on('GET', '/users/{id}/manager', userReadAccess, async (request) => {
    const manager = await managerOf(request, await requireUser(request));
    if (!manager) throw managerNotFound();
    checkSelect(request.directory, request.directory.types.get(manager.type), request.options.select, true);
    const shown = present(request.directory, manager, { typed: true, ...(request.options.select && { select: request.options.select }) });
    return ok({ '@odata.context': `${request.base}/$metadata#directoryObjects/$entity`, ...shown });
  });
  router.on('GET', '/users/{id}/manager/$ref', userReadAccess, async (request) => {
    const manager = await managerOf(request, await requireUser(request));
    if (!manager) throw managerNotFound();
    return ok({ '@odata.context': `${request.base}/$metadata#$ref`, '@odata.id': `${request.base}/directoryObjects/${manager.id}` });
  });
  router.on('PUT', '/users/{id}/manager/$ref', userWriteAccess, setManager);
  router.on('DELETE', '/users/{id}/manager/$ref', userWriteAccess, async (request) => {
    const { directory } = request;
    await directory.sql.write(async () => {
      const user = await requireUser(request);
      const manager = await managerOf(request, user);
      // A manager who was deleted would come back with the account: that, too, is over then.
      const left = await directory.deleted.forgetReference(user, 'manager');
      if (!manager && !left) throw managerNotFound();
      if (manager) await directory.links.remove(user, 'manager', manager);
      await touch(request, user);
    });
    return noContent;
  });
  const user = (request: DirectoryRequest): Promise<StoredObject> => requireUser(request);
  referringObjects(router, '/users/{id}/directReports', userReadAccess, ['manager'], user);
  referringObjects(router, '/users/{id}/ownedObjects', userReadAccess, ['owners', 'applicationOwners'], user);
  referringObjects(router, '/users/{id}/ownedDevices', userReadAccess, ['registeredOwners'], user);
  referringObjects(router, '/users/{id}/registeredDevices', userReadAccess, ['registeredUsers'], user);
}

async function setManager(request: DirectoryRequest): Promise<typeof noContent> {
  const { directory } = request;
  const reference = idOfRefBody(directory, request.json(), ['user', 'contact']);
  await directory.sql.write(async () => {
    const user = await requireUser(request);
    const manager = await resolveReference(directory, `directoryObjects/${reference}`);
    if (manager.type !== 'user' && manager.type !== 'contact')
      throw badRequest('Not a valid reference update: a manager is a user or an organizational contact.');
    const before = await managerOf(request, user);
    if (before?.id === manager.id) return;
    if (before) await directory.links.remove(user, 'manager', before);
    await directory.deleted.forgetReference(user, 'manager');
    await directory.links.add(user, 'manager', manager);
    await touch(request, user);
  });
  return noContent;
}

/** A manager counts for membership rules: notifies the listeners of users. */
async function touch({ directory }: DirectoryRequest, user: StoredObject): Promise<void> {
  await directory.objects.save(user, user.body);
}

async function managerOf({ directory }: DirectoryRequest, user: StoredObject): Promise<StoredObject | undefined> {
  return (await directory.links.targets(user, 'manager', 0, 1))[0];
}
