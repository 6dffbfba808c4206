import { createHash } from 'node:crypto';
import { badRequest, created, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { plainProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  itemAnswer,
  findUnifiedGroup,
  itemReadAccess,
  serveList,
  serveOne,
  itemWriteAccess,
} from './group-items.js';
import { DriveItems } from './drive-items.js';
import { requireKnownProperties } from '../kernel/body-properties.js';

const quotaBytes = 1_099_511_627_776;

/** The collection with the files and folders of a group. */
const driveItems = 'drive/items';
const maxFileBytes = 4 * 1024 * 1024;

/** An entry of a drive by its id, by a path from the root, or by a path from a folder. */
const addresses = [
  '/groups/{id}/drive/root',
  '/groups/{id}/drive/items/{item}',
  '/groups/{id}/drive/root/by-path/{path}',
  '/groups/{id}/drive/items/{item}/by-path/{path}',
];

/** The drive of a unified group, with its folders and files. */
export function driveRoutes(router: Router): void {
  serveOne(router, ['/groups/{id}/drive'], 'drive', driveOf);
  serveList(router, ['/groups/{id}/drives'], 'drives', (request, group) => [
    driveOf(request, group),
  ]);
  serveOne(router, addresses, driveItems, (request, group) =>
    target(request, driveIn(request, group)),
  );
  const children = addresses.map((path) => `${path}/children`);
  serveList(router, children, driveItems, async (request, group) => {
    const drive = driveIn(request, group);
    return drive.children(await targetId(request, drive));
  });
  for (const path of addresses) {
    router.on('POST', `${path}/children`, itemWriteAccess, createFolder);
    router.on('PATCH', path, itemWriteAccess, rename);
    router.on('DELETE', path, itemWriteAccess, (request) =>
      change(request, async (drive) => drive.remove(await targetId(request, drive))),
    );
    router.on('GET', `${path}/content`, itemReadAccess, download);
    router.on('PUT', `${path}/content`, itemWriteAccess, upload);
  }
}

/** The drive of a group; its id is derived from the group. */
function driveOf(request: DirectoryRequest, group: StoredObject): Body {
  return {
    id: driveIdOf(group),
    createdDateTime: group.body['createdDateTime'],
    lastModifiedDateTime: group.body['createdDateTime'],
    name: 'Documents',
    description: '',
    driveType: 'documentLibrary',
    webUrl: `${request.base}/groups/${group.id}/drive`,
    owner: {
      group: {
        id: group.id,
        displayName: group.body['displayName'],
        email: group.body['mail'] ?? null,
      },
    },
    quota: { deleted: 0, remaining: quotaBytes, state: 'normal', total: quotaBytes, used: 0 },
  };
}

function driveIdOf(group: StoredObject): string {
  return `b!${createHash('sha256').update(group.id).digest('base64url')}`;
}

function driveIn(request: DirectoryRequest, group: StoredObject): DriveItems {
  return new DriveItems(request, group, driveIdOf(group));
}

function change(
  request: DirectoryRequest,
  run: (drive: DriveItems, group: StoredObject) => Promise<Reply | void>,
): Promise<Reply> {
  return request.write(async () => {
    const group = await findUnifiedGroup(request);
    return run(driveIn(request, group), group);
  });
}

/** The start folder of an address, and the path relative to it. */
function addressOf(request: DirectoryRequest): { readonly folder: string; readonly path: string } {
  const [folder, path] = [request.key('item'), request.key('path')];
  return {
    folder: typeof folder === 'string' && folder !== '' ? folder : 'root',
    path: typeof path === 'string' ? path : '',
  };
}

function target(request: DirectoryRequest, drive: DriveItems): Promise<Body> {
  const { folder, path } = addressOf(request);
  return drive.find(folder, path);
}

async function targetId(request: DirectoryRequest, drive: DriveItems): Promise<string> {
  return String((await target(request, drive))['id']);
}

function createFolder(request: DirectoryRequest): Promise<Reply> {
  const values = plainProperties(request.json());
  const { name, folder } = values;
  if (typeof name !== 'string') throw badRequest('A folder needs a name.', 'name');
  if (typeof folder !== 'object' || folder === null)
    throw badRequest(
      'Only folders are created here: send "folder": {}. Files are put at …/{name}:/content.',
      'folder',
    );
  return change(request, async (drive, group) => {
    const item = await drive.createFolder(await targetId(request, drive), name);
    return created(itemAnswer(request, group, driveItems, item), String(item['webUrl']));
  });
}

function rename(request: DirectoryRequest): Promise<Reply> {
  const values = plainProperties(request.json());
  requireKnownProperties(values, ['name'], "a drive's entry");
  const { name } = values;
  if (typeof name !== 'string') throw badRequest('A name is needed.', 'name');
  return change(request, async (drive, group) => {
    const item = await drive.rename(await targetId(request, drive), name);
    return ok(itemAnswer(request, group, driveItems, item));
  });
}

/** Returns the content directly; the cloud redirects to it. */
async function download(request: DirectoryRequest): Promise<Reply> {
  const drive = driveIn(request, await findUnifiedGroup(request));
  const { bytes, contentType } = await drive.read(await targetId(request, drive));
  return { status: 200, body: bytes, contentType };
}

/** 201 for a new file, 200 for new content of an existing one. */
function upload(request: DirectoryRequest): Promise<Reply> {
  const { bytes } = request;
  if (bytes.length > maxFileBytes)
    throw new DirectoryError(413, 'Request_BadRequest', 'A file has at most 4 MB.');
  const content = {
    bytes,
    contentType: request.header('content-type') ?? 'application/octet-stream',
  };
  const { folder, path } = addressOf(request);
  return change(request, async (drive, group) => {
    const result =
      path === ''
        ? { item: await drive.write(folder, content), created: false }
        : await drive.writeAt(folder, path, content);
    const body = itemAnswer(request, group, driveItems, result.item);
    return result.created ? created(body, String(result.item['webUrl'])) : ok(body);
  });
}

/** The site of a unified group, at `/sites/root`. */
export function siteRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/sites/root', itemReadAccess, async (request) => {
    const group = await findUnifiedGroup(request);
    return ok(request.withContext('sites/$entity', siteOf(request, group)));
  });
  serveList(router, ['/groups/{id}/sites'], 'sites', (request, group) => [siteOf(request, group)]);
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
