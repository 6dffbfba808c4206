import { requireByPathKey } from '../kernel/single-object.js';
import type { DirectoryModule } from '../directory-module.js';
import { resolveSeedReference, seedObject } from '../kernel/seeding.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import {
  applicationRead,
  applicationType,
  applicationWrite,
  checkOwnedBy,
  updateIdentifierUris,
  requireOwned,
} from './application-type.js';
import { nextApplication } from './application-rules.js';
import { withKeyMaterial } from './certificates.js';
import { newApplication, seededApplication } from './create-application.js';
import { federatedIdentityRoutes } from './federated-identity.js';
import { changedCredentials, secretOperations } from './secrets.js';
import { templateRoutes } from './templates.js';
import { badRequest, itemNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body } from '../store/objects.js';

/**
 * Application registrations, with their permissions, app roles, scopes, secrets, certificates and
 * owners.
 */
export const applicationsModule: DirectoryModule = {
  types: [applicationType],
  routes(router) {
    addStandardOperations(router, {
      type: applicationType,
      delta: ['applicationOwners'],
      read: applicationRead,
      write: applicationWrite,
      authorize: checkOwnedBy,
      create: newApplication,
      change: async (request, current, values) => {
        const { rest, credentials } = await changedCredentials(request.directory, current, values);
        return {
          ...(await nextApplication(request.directory, current.id, current.body, rest)),
          ...credentials,
        };
      },
      completeView: withKeyMaterial,
    });
    secretOperations(router, applicationType);
    federatedIdentityRoutes(router);
    logoRoutes(router);
    templateRoutes(router);
  },
  start(directory) {
    directory.objects.listen({
      saved: async (object, before) => {
        if (object.type === 'application')
          await updateIdentifierUris(directory, object.id, before, object.body);
      },
      beforeRemoval: async (object) => {
        if (object.type === 'application')
          await updateIdentifierUris(directory, object.id, object.body, undefined);
      },
    });
  },
  async seed(directory, { applications = [] }) {
    for (const entry of applications)
      await seedObject(directory, applicationType, entry, {
        list: 'applications',
        notStored: ['owners'],
        withDefaults: (values, id) => seededApplication(directory, values, id),
      });
  },
  async linkSeeded(directory, { applications = [] }) {
    for (const { id, owners } of applications) {
      const application = typeof id === 'string' ? await directory.objects.get(id) : undefined;
      if (!application || !Array.isArray(owners)) continue;
      for (const owner of owners as unknown[])
        await directory.links.add(
          application,
          'applicationOwners',
          await resolveSeedReference(directory, 'applications: owners', owner),
        );
    }
  },
};

const collection = 'logos';
const maximumBytes = 100 * 1024;

/**
 * The logo of an application: an image of at most 100 KB, whose address is returned as
 * `info.logoUrl`.
 */
function logoRoutes(router: Router): void {
  const path = '/applications/{id}/logo';
  router.on('PUT', path, applicationWrite, (request) => {
    const type = request.header('content-type') ?? '';
    if (!/^image\/[\w.+-]+/i.test(type)) throw badRequest(`A logo is an image, not '${type}'.`);
    if (request.bytes.length === 0 || request.bytes.length > maximumBytes)
      throw badRequest(`A logo has 1 to ${maximumBytes} bytes.`);
    return change(request, async (id) => {
      await request.directory.items.put(collection, id, 'logo', {
        type,
        data: request.bytes.toString('base64'),
      });
      return `${request.base}/applications/${id}/logo`;
    });
  });
  router.on('GET', path, applicationRead, async (request) => {
    const application = await requireByPathKey(request, applicationType);
    const logo = await request.directory.items.get(collection, application.id, 'logo');
    if (!logo) throw itemNotFound();
    return {
      status: 200,
      body: Buffer.from(String(logo.body['data']), 'base64'),
      contentType: String(logo.body['type']),
    };
  });
  router.on('DELETE', path, applicationWrite, (request) =>
    change(request, async (id) => {
      await request.directory.items.remove(collection, id, 'logo');
      return null;
    }),
  );
}

/** Stores or deletes a logo. @param store returns its address */
function change(
  request: DirectoryRequest,
  store: (id: string) => Promise<string | null>,
): Promise<Reply> {
  return request.write(async () => {
    const application = await requireOwned(request, applicationType);
    const info: Body = isObject(application.body['info']) ? application.body['info'] : {};
    await request.directory.objects.save(application, {
      ...application.body,
      info: { ...info, logoUrl: await store(application.id) },
    });
  });
}
