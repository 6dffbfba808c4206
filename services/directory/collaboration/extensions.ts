import { DirectoryError, badRequest, objectNotFound } from '../http/errors.js';
import { created, noContent, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { findGroup, requireRoleOrOwnership } from '../groups/find-group.js';
import { odataType } from '../kernel/present.js';
import { ownProperties } from '../kernel/references.js';
import type { Item } from '../store/items.js';
import type { Body } from '../store/objects.js';
import { areaContext, listArea, readArea, showItem, writeArea } from './area.js';

const extensions = 'extension';

/** Open extensions of a group: named sets of properties of any kind. */
export function extensionRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/extensions', readArea, async (request) => {
    const group = await findGroup(request);
    const items = await request.directory.items.list(extensions, group.id);
    return listArea(
      request,
      areaContext(request, group, 'extensions'),
      items.map((item) => shown(request, item)),
    );
  });
  router.on('POST', '/groups/{id}/extensions', writeArea, create);
  router.on('GET', '/groups/{id}/extensions/{extension}', readArea, async (request) => {
    const group = await findGroup(request);
    return showItem(request, areaContext(request, group, 'extensions'), shown(request, await find(request, group.id)));
  });
  router.on('PATCH', '/groups/{id}/extensions/{extension}', writeArea, async (request) => {
    const body = ownProperties(request.json());
    await request.directory.sql.write(async () => {
      const group = await findGroup(request);
      await requireRoleOrOwnership(request, group);
      const present = await find(request, group.id);
      await request.directory.items.put(extensions, group.id, present.id, { ...present.body, ...body });
    });
    return noContent;
  });
  router.on('DELETE', '/groups/{id}/extensions/{extension}', writeArea, async (request) => {
    const group = await findGroup(request);
    await requireRoleOrOwnership(request, group);
    const id = request.parameter('extension');
    if (!(await request.directory.items.remove(extensions, group.id, id))) throw objectNotFound(id);
    return noContent;
  });
}

async function create(request: DirectoryRequest): Promise<Reply> {
  const body = ownProperties(request.json());
  const name = body['extensionName'];
  if (typeof name !== 'string' || !/^[\w.]{1,120}$/.test(name)) throw badRequest('An extension needs an extensionName.', 'extensionName');
  const { items, sql } = request.directory;
  return sql.write(async () => {
    const group = await findGroup(request);
    await requireRoleOrOwnership(request, group);
    if (await items.get(extensions, group.id, name))
      throw new DirectoryError(409, 'Request_Conflict', `There is an extension '${name}' already.`);
    const item = await items.put(extensions, group.id, name, body);
    return created({ '@odata.context': `${areaContext(request, group, 'extensions')}/$entity`, ...shown(request, item) });
  });
}

async function find(request: DirectoryRequest, groupId: string): Promise<Item> {
  const id = request.parameter('extension');
  const item = await request.directory.items.get(extensions, groupId, id);
  if (!item) throw objectNotFound(id);
  return item;
}

function shown(request: DirectoryRequest, item: Item): Body {
  return { '@odata.type': odataType(request.directory, 'openTypeExtension'), id: item.id, ...item.body };
}
