import { createHash, randomUUID } from 'node:crypto';
import { DirectoryError, badRequest, itemNotFound } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { created, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import { areaContext, findUnified, listArea, readArea, showItem, writeArea } from './area.js';

const files = 'drive-item';
const quotaBytes = 1_099_511_627_776;

/** The file store of a unified group: folders and files, and the site it belongs to. */
export function driveRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/drive', readArea, async (request) => {
    const group = await findUnified(request);
    return showItem(request, areaContext(request, group, 'drive'), driveOf(request, group));
  });
  router.on('GET', '/groups/{id}/drives', readArea, async (request) => {
    const group = await findUnified(request);
    return listArea(request, areaContext(request, group, 'drives'), [driveOf(request, group)]);
  });
  router.on('GET', '/groups/{id}/drive/root', readArea, async (request) => {
    const group = await findUnified(request);
    return showItem(request, areaContext(request, group, 'drive/root'), await rootOf(request, group));
  });
  router.on('GET', '/groups/{id}/drive/root/children', readArea, children);
  router.on('POST', '/groups/{id}/drive/root/children', writeArea, createFolder);
  router.on('GET', '/groups/{id}/drive/items/{item}', readArea, getItem);
  router.on('GET', '/groups/{id}/drive/items/{item}/children', readArea, children);
  router.on('POST', '/groups/{id}/drive/items/{item}/children', writeArea, createFolder);
  router.on('GET', '/groups/{id}/sites/root', readArea, site);
  router.on('GET', '/groups/{id}/sites', readArea, async (request) => {
    const group = await findUnified(request);
    return listArea(request, areaContext(request, group, 'sites'), [siteOf(request, group)]);
  });
}

function driveOf(request: DirectoryRequest, group: StoredObject): Body {
  return {
    id: `b!${createHash('sha256').update(group.id).digest('base64url')}`,
    createdDateTime: group.body['createdDateTime'],
    lastModifiedDateTime: group.body['createdDateTime'],
    name: 'Documents',
    description: '',
    driveType: 'documentLibrary',
    webUrl: `${request.base}/groups/${group.id}/drive`,
    owner: { group: { id: group.id, displayName: group.body['displayName'], email: group.body['mail'] ?? null } },
    quota: { deleted: 0, remaining: quotaBytes, state: 'normal', total: quotaBytes, used: 0 },
  };
}

async function rootOf(request: DirectoryRequest, group: StoredObject): Promise<Body> {
  const count = (await request.directory.items.list(files, `${group.id}/root`)).length;
  return { id: 'root', name: 'root', size: 0, root: {}, folder: { childCount: count }, createdDateTime: group.body['createdDateTime'] };
}

function parentIn(request: DirectoryRequest): string {
  return request.key('item') === '' ? 'root' : request.parameter('item');
}

async function children(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnified(request);
  const parent = parentIn(request);
  if (parent !== 'root') await find(request, group, parent);
  const items = await request.directory.items.list(files, `${group.id}/${parent}`);
  return listArea(
    request,
    areaContext(request, group, 'drive/items'),
    items.map((item) => ({ id: item.id, ...item.body })),
  );
}

async function getItem(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnified(request);
  return showItem(request, areaContext(request, group, 'drive/items'), await find(request, group, request.parameter('item')));
}

async function find(request: DirectoryRequest, group: StoredObject, id: string): Promise<Body> {
  if (id === 'root') return rootOf(request, group);
  const index = await request.directory.items.get('drive-item-parent', group.id, id);
  const item = index && (await request.directory.items.get(files, `${group.id}/${String(index.body['parent'])}`, id));
  if (!item) throw itemNotFound('The resource could not be found.');
  return { id, ...item.body };
}

async function createFolder(request: DirectoryRequest): Promise<Reply> {
  const given = ownProperties(request.json());
  const { name } = given;
  if (typeof name !== 'string' || name === '' || /["*:<>?/\\|]/.test(name))
    throw badRequest('A folder needs a name without " * : < > ? / \\ |.', 'name');
  if (typeof given['folder'] !== 'object' || given['folder'] === null)
    throw badRequest('Only folders are created here: send "folder": {}.', 'folder');
  const group = await findUnified(request);
  const parent = parentIn(request);
  const id = `01${randomUUID().replaceAll('-', '').toUpperCase()}`;
  const now = request.directory.clock.now().toISOString();
  const item = {
    name,
    size: 0,
    eTag: `"{${randomUUID().toUpperCase()}},1"`,
    cTag: `"c:{${randomUUID().toUpperCase()}},0"`,
    folder: { childCount: 0 },
    parentReference: { driveId: driveOf(request, group)['id'], driveType: 'documentLibrary', id: parent },
    webUrl: `${request.base}/groups/${group.id}/drive/items/${id}`,
    createdDateTime: now,
    lastModifiedDateTime: now,
    fileSystemInfo: { createdDateTime: now, lastModifiedDateTime: now },
  };
  const { items, sql } = request.directory;
  await sql.write(async () => {
    if (parent !== 'root') await find(request, group, parent);
    const siblings = await items.list(files, `${group.id}/${parent}`);
    if (siblings.some((each) => String(each.body['name']).toLowerCase() === name.toLowerCase()))
      throw new DirectoryError(409, 'nameAlreadyExists', `There is an item '${name}' already.`);
    await items.put(files, `${group.id}/${parent}`, id, item, name.toLowerCase());
    await items.put('drive-item-parent', group.id, id, { parent });
  });
  return created({ '@odata.context': `${areaContext(request, group, 'drive/items')}/$entity`, id, ...item });
}

async function site(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnified(request);
  return ok({ '@odata.context': `${request.base}/$metadata#sites/$entity`, ...siteOf(request, group) });
}

function siteOf(request: DirectoryRequest, group: StoredObject): Body {
  const host = request.directory.tenant.defaultDomain;
  return {
    id: `${host},${group.id},${group.id}`,
    createdDateTime: group.body['createdDateTime'],
    name: group.body['mailNickname'],
    displayName: group.body['displayName'],
    description: group.body['description'] ?? '',
    webUrl: `https://${host}/sites/${String(group.body['mailNickname'])}`,
    root: {},
    siteCollection: { hostname: host },
  };
}
