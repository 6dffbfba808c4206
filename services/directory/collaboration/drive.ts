import { createHash } from 'node:crypto';
import { badRequest, created, DirectoryError, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { plainProperties } from '../kernel/references.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  resourceBody,
  findUnifiedGroup,
  findWritableUnifiedGroup,
  resourceReadAccess,
  addResourceListRoutes,
  addResourceRoutes,
  resourceWriteAccess,
} from './group-resources.js';
import { DriveItems } from './drive-items.js';
import { requireKnownProperties } from '../kernel/body-properties.js';

/** The size that drives report: 1 TiB. */
const quotaBytes = 1_099_511_627_776;

/** The collection with the files and folders of a group. */
const driveItems = 'drive/items';
const maxFileBytes = 4 * 1024 * 1024;

/**
 * The paths of a drive's entry: the root, by its id, or by a path from the root or from a folder.
 */
const entryPaths = [
  '/groups/{id}/drive/root',
  '/groups/{id}/drive/items/{item}',
  '/groups/{id}/drive/root/by-path/{path}',
  '/groups/{id}/drive/items/{item}/by-path/{path}',
];

/** Adds the operations of a unified group's drive, with its folders and files. */
export function addDriveRoutes(router: Router): void {
  addResourceRoutes(router, ['/groups/{id}/drive'], 'drive', driveOf);
  addResourceListRoutes(router, ['/groups/{id}/drives'], 'drives', (request, group) => [
    driveOf(request, group),
  ]);
  addResourceRoutes(router, entryPaths, driveItems, (request, group) =>
    requireEntry(request, driveItemsOf(request, group)),
  );
  const children = entryPaths.map((path) => `${path}/children`);
  addResourceListRoutes(router, children, driveItems, async (request, group) => {
    const drive = driveItemsOf(request, group);
    return drive.children(await requireEntryId(request, drive));
  });
  for (const path of entryPaths) {
    router.on('POST', `${path}/children`, resourceWriteAccess, createFolder);
    router.on('PATCH', path, resourceWriteAccess, renameEntry);
    router.on('DELETE', path, resourceWriteAccess, (request) =>
      changeDrive(request, async (drive) => drive.remove(await requireEntryId(request, drive))),
    );
    router.on('GET', `${path}/content`, resourceReadAccess, download);
    router.on('PUT', `${path}/content`, resourceWriteAccess, upload);
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

function driveItemsOf(request: DirectoryRequest, group: StoredObject): DriveItems {
  return new DriveItems(request, group, driveIdOf(group));
}

function changeDrive(
  request: DirectoryRequest,
  run: (drive: DriveItems, group: StoredObject) => Promise<Reply | void>,
): Promise<Reply> {
  return request.runInTransaction(async () => {
    const group = await findWritableUnifiedGroup(request);
    return run(driveItemsOf(request, group), group);
  });
}

/** The id of the start folder in a request's path, and the path relative to it. */
function entryAddressOf(request: DirectoryRequest): {
  readonly folderId: string;
  readonly path: string;
} {
  const [folder, path] = [request.key('item'), request.key('path')];
  return {
    folderId: typeof folder === 'string' && folder !== '' ? folder : 'root',
    path: typeof path === 'string' ? path : '',
  };
}

function requireEntry(request: DirectoryRequest, drive: DriveItems): Promise<Body> {
  const { folderId, path } = entryAddressOf(request);
  return drive.find(folderId, path);
}

async function requireEntryId(request: DirectoryRequest, drive: DriveItems): Promise<string> {
  return String((await requireEntry(request, drive))['id']);
}

function createFolder(request: DirectoryRequest): Promise<Reply> {
  const values = plainProperties(request.json());
  const { name, folder } = values;
  if (typeof name !== 'string') throw badRequest('A folder needs a name.', 'name');
  if (typeof folder !== 'object' || folder === null)
    throw badRequest(
      'Only folders can be created here: send "folder": {}. Upload files by PUT …/{name}:/content.',
      'folder',
    );
  return changeDrive(request, async (drive, group) => {
    const item = await drive.createFolder(await requireEntryId(request, drive), name);
    return created(resourceBody(request, group, driveItems, item), String(item['webUrl']));
  });
}

function renameEntry(request: DirectoryRequest): Promise<Reply> {
  const values = plainProperties(request.json());
  requireKnownProperties(values, ['name'], "a drive's entry");
  const { name } = values;
  if (typeof name !== 'string') throw badRequest('A name is needed.', 'name');
  return changeDrive(request, async (drive, group) => {
    const item = await drive.rename(await requireEntryId(request, drive), name);
    return ok(resourceBody(request, group, driveItems, item));
  });
}

/** Returns the content directly; the cloud redirects to it. */
async function download(request: DirectoryRequest): Promise<Reply> {
  const drive = driveItemsOf(request, await findUnifiedGroup(request));
  const { bytes, contentType } = await drive.read(await requireEntryId(request, drive));
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
  const { folderId, path } = entryAddressOf(request);
  return changeDrive(request, async (drive, group) => {
    const result =
      path === ''
        ? { item: await drive.write(folderId, content), isNew: false }
        : await drive.writeAt(folderId, path, content);
    const body = resourceBody(request, group, driveItems, result.item);
    return result.isNew ? created(body, String(result.item['webUrl'])) : ok(body);
  });
}
