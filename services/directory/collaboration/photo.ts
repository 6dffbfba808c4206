import { createHash } from 'node:crypto';
import { badRequest, DirectoryError, itemNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  findUnifiedGroup,
  findWritableUnifiedGroup,
  resourceReadAccess,
  addResourceListRoutes,
  addResourceRoutes,
  resourceWriteAccess,
} from './group-resources.js';
import { detectImage } from './image.js';

const photoCollection = 'photo';
/** The edges of the standard square sizes in pixels. */
const sizes = [48, 64, 96, 120, 240, 360, 432, 504, 648];
const maxPhotoBytes = 4 * 1024 * 1024;

/**
 * Adds the operations of a unified group's photo. It has the standard square sizes that fit into
 * it, and always the smallest. Each size returns the picture as it was uploaded.
 */
export function addPhotoRoutes(router: Router): void {
  addResourceRoutes(router, ['/groups/{id}/photo'], 'photo', async (request, group) =>
    photoMetadata(await findPhoto(request, group)),
  );
  router.on('GET', '/groups/{id}/photo/$value', resourceReadAccess, async (request) =>
    photoContent(await findPhoto(request, await findUnifiedGroup(request))),
  );
  for (const method of ['PUT', 'PATCH'])
    router.on(method, '/groups/{id}/photo/$value', resourceWriteAccess, putPhoto);
  router.on('DELETE', '/groups/{id}/photo/$value', resourceWriteAccess, deletePhoto);
  router.on('DELETE', '/groups/{id}/photo', resourceWriteAccess, deletePhoto);
  addResourceListRoutes(router, ['/groups/{id}/photos'], 'photos', async (request, group) => {
    const photo = await findPhoto(request, group);
    return photo
      ? sizes.filter((size) => hasSize(photo, size)).map((size) => photoMetadata(photo, size))
      : [];
  });
  addResourceRoutes(router, ['/groups/{id}/photos/{size}'], 'photos', async (request, group) => {
    const [photo, size] = await photoOfSize(request, group);
    return photoMetadata(photo, size);
  });
  router.on('GET', '/groups/{id}/photos/{size}/$value', resourceReadAccess, async (request) => {
    const [photo] = await photoOfSize(request, await findUnifiedGroup(request));
    return photoContent(photo);
  });
}

/** The photo and size of a path. @throws DirectoryError 404 when the photo is smaller. */
async function photoOfSize(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<readonly [Body, number]> {
  const size = requestedSize(request);
  const photo = await findPhoto(request, group);
  if (!photo || !hasSize(photo, size)) throw photoNotFound();
  return [photo, size];
}

/** Whether a photo is large enough for a square of this size. */
function hasSize(photo: Body, size: number): boolean {
  return (
    size <= Math.max(Math.min(Number(photo['width']), Number(photo['height'])), sizes[0] as number)
  );
}

async function findPhoto(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body | undefined> {
  return (await request.directory.records.get(photoCollection, group.id, 'photo'))?.body;
}

/**
 * The metadata of a photo in one of its sizes, by default its own; without a photo, those of a
 * picture of one pixel (`1X1`), as in the cloud.
 */
function photoMetadata(photo: Body | undefined, size?: number): Body {
  const [width, height] = photo ? [size ?? photo['width'], size ?? photo['height']] : [1, 1];
  return {
    '@odata.mediaContentType': photo?.['contentType'] ?? 'image/gif',
    ...(photo && { '@odata.mediaEtag': `"${String(photo['etag'])}"` }),
    id: `${String(width)}X${String(height)}`,
    width,
    height,
  };
}

function photoContent(photo: Body | undefined): Reply {
  if (!photo) throw photoNotFound();
  return {
    status: 200,
    body: Buffer.from(String(photo['bytes']), 'base64'),
    contentType: String(photo['contentType']),
  };
}

function photoNotFound(): DirectoryError {
  return new DirectoryError(404, 'ImageNotFound', 'The photo was not found.');
}

async function putPhoto(request: DirectoryRequest): Promise<Reply> {
  if (request.bytes.length > maxPhotoBytes)
    throw new DirectoryError(413, 'Request_BadRequest', 'A photo has at most 4 MB.');
  const image = detectImage(request.bytes);
  if (!image) throw badRequest('The photo must be a JPEG, PNG or GIF picture.');
  const etag = createHash('sha256').update(request.bytes).digest('hex').slice(0, 32).toUpperCase();
  return request.runInTransaction(async () => {
    const group = await findWritableUnifiedGroup(request);
    await request.directory.records.put(photoCollection, group.id, 'photo', {
      ...image,
      etag,
      bytes: request.bytes.toString('base64'),
    });
    return { status: 200 };
  });
}

function deletePhoto(request: DirectoryRequest): Promise<Reply> {
  return request.runInTransaction(async () => {
    const group = await findWritableUnifiedGroup(request);
    if (!(await request.directory.records.remove(photoCollection, group.id, 'photo')))
      throw itemNotFound();
  });
}

function requestedSize(request: DirectoryRequest): number {
  const text = request.parameter('size').toLowerCase();
  const size = sizes.find((each) => text === `${each}x${each}`);
  if (size === undefined)
    throw badRequest(
      `There is no photo of the size '${text}'; sizes are ${sizes.map((each) => `${each}x${each}`).join(', ')}.`,
    );
  return size;
}
