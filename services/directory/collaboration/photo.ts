import { createHash } from 'node:crypto';
import {
  badRequest,
  DirectoryError,
  itemNotFound,
  noContent,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  findUnifiedGroup,
  itemReadAccess,
  serveList,
  serveOne,
  itemWriteAccess,
} from './group-items.js';
import { readImage } from './image.js';

const photos = 'photo';
const sizes = [48, 64, 96, 120, 240, 360, 432, 504, 648];
const maxPhotoBytes = 4 * 1024 * 1024;

/**
 * The photo of a unified group. It has the standard square sizes that fit into it (always the
 * smallest); each of them returns the picture as it was uploaded, which the client scales.
 */
export function photoRoutes(router: Router): void {
  serveOne(router, ['/groups/{id}/photo'], 'photo', async (request, group) =>
    metadata(await stored(request, group)),
  );
  router.on('GET', '/groups/{id}/photo/$value', itemReadAccess, async (request) =>
    value(await stored(request, await findUnifiedGroup(request))),
  );
  for (const method of ['PUT', 'PATCH'])
    router.on(method, '/groups/{id}/photo/$value', itemWriteAccess, put);
  router.on('DELETE', '/groups/{id}/photo/$value', itemWriteAccess, remove);
  router.on('DELETE', '/groups/{id}/photo', itemWriteAccess, remove);
  serveList(router, ['/groups/{id}/photos'], 'photos', async (request, group) => {
    const photo = await stored(request, group);
    return photo
      ? sizes.filter((size) => fits(photo, size)).map((size) => metadata(photo, size))
      : [];
  });
  serveOne(router, ['/groups/{id}/photos/{size}'], 'photos', async (request, group) => {
    const [photo, size] = await photoOfSize(request, group);
    return metadata(photo, size);
  });
  router.on('GET', '/groups/{id}/photos/{size}/$value', itemReadAccess, async (request) => {
    const [photo] = await photoOfSize(request, await findUnifiedGroup(request));
    return value(photo);
  });
}

/** The photo and size of a path. @throws DirectoryError 404 when the photo is smaller. */
async function photoOfSize(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<readonly [Body, number]> {
  const size = sizeIn(request);
  const photo = await stored(request, group);
  if (!photo || !fits(photo, size)) throw noPhoto();
  return [photo, size];
}

/** Whether a photo is large enough for a square of this size. */
function fits(photo: Body, size: number): boolean {
  return (
    size <= Math.max(Math.min(Number(photo['width']), Number(photo['height'])), sizes[0] as number)
  );
}

async function stored(request: DirectoryRequest, group: StoredObject): Promise<Body | undefined> {
  return (await request.directory.items.get(photos, group.id, 'photo'))?.body;
}

function metadata(photo: Body | undefined, size?: number): Body {
  const [width, height] = photo ? [size ?? photo['width'], size ?? photo['height']] : [1, 1];
  return {
    '@odata.mediaContentType': photo?.['contentType'] ?? 'image/gif',
    ...(photo && { '@odata.mediaEtag': `"${String(photo['etag'])}"` }),
    id: `${String(width)}X${String(height)}`,
    width,
    height,
  };
}

function value(photo: Body | undefined): Reply {
  if (!photo) throw noPhoto();
  return {
    status: 200,
    body: Buffer.from(String(photo['bytes']), 'base64'),
    contentType: String(photo['contentType']),
  };
}

function noPhoto(): DirectoryError {
  return new DirectoryError(404, 'ImageNotFound', 'The photo was not found.');
}

async function put(request: DirectoryRequest): Promise<Reply> {
  if (request.bytes.length > maxPhotoBytes)
    throw new DirectoryError(413, 'Request_BadRequest', 'A photo has at most 4 MB.');
  const image = readImage(request.bytes);
  if (!image) throw badRequest('The photo must be a JPEG, PNG or GIF picture.');
  const group = await findUnifiedGroup(request);
  const etag = createHash('sha256').update(request.bytes).digest('hex').slice(0, 32).toUpperCase();
  await request.directory.items.put(photos, group.id, 'photo', {
    ...image,
    etag,
    bytes: request.bytes.toString('base64'),
  });
  return { status: 200 };
}

async function remove(request: DirectoryRequest): Promise<Reply> {
  const group = await findUnifiedGroup(request);
  if (!(await request.directory.items.remove(photos, group.id, 'photo'))) throw itemNotFound();
  return noContent;
}

function sizeIn(request: DirectoryRequest): number {
  const text = request.parameter('size').toLowerCase();
  const size = sizes.find((each) => text === `${each}x${each}`);
  if (size === undefined)
    throw badRequest(
      `There is no photo of the size '${text}'; sizes are ${sizes.map((each) => `${each}x${each}`).join(', ')}.`,
    );
  return size;
}
