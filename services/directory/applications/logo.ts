import { badRequest, itemNotFound } from '../http/errors.js';
import { noContent } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body } from '../store/objects.js';
import { applicationRead, applicationWrite, checkOwnedBy } from './application-access.js';
import { requireByKey } from './find-application.js';

const collection = 'logos';
const maximumBytes = 100 * 1024;

/** The logo of an application: an image of at most 100 KB, whose address shows as `info.logoUrl`. */
export function logoRoutes(router: Router): void {
  const path = '/applications/{id}/logo';
  router.on('PUT', path, applicationWrite, async (request) => {
    const type = request.header('content-type') ?? '';
    if (!/^image\/[\w.+-]+/i.test(type)) throw badRequest(`A logo is an image, not '${type}'.`);
    if (request.bytes.length === 0 || request.bytes.length > maximumBytes) throw badRequest(`A logo has 1 to ${maximumBytes} bytes.`);
    await change(request, async (id) => {
      await request.directory.items.put(collection, id, 'logo', { type, data: request.bytes.toString('base64') });
      return `${request.base}/applications/${id}/logo`;
    });
    return noContent;
  });
  router.on('GET', path, applicationRead, async (request) => {
    const application = await requireByKey(request, 'application');
    const logo = await request.directory.items.get(collection, application.id, 'logo');
    if (!logo) throw itemNotFound();
    return { status: 200, body: Buffer.from(String(logo.body['data']), 'base64'), contentType: String(logo.body['type']) };
  });
  router.on('DELETE', path, applicationWrite, async (request) => {
    await change(request, async (id) => {
      await request.directory.items.remove(collection, id, 'logo');
      return null;
    });
    return noContent;
  });
}

async function change(request: DirectoryRequest, store: (id: string) => Promise<string | null>): Promise<void> {
  await request.directory.sql.write(async () => {
    const application = await requireByKey(request, 'application');
    await checkOwnedBy(request, application);
    const info: Body = isObject(application.body['info']) ? application.body['info'] : {};
    await request.directory.objects.save(application, { ...application.body, info: { ...info, logoUrl: await store(application.id) } });
  });
}
