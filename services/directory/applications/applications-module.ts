import { requireByPathKey } from '../kernel/single-object.js';
import type { DirectoryModule } from '../directory-module.js';
import { resolveSeedReference, seedObject } from '../kernel/seeding.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import {
  applicationReadAccess,
  applicationType,
  applicationWriteAccess,
  requireOwnership,
  updateIdentifierUris,
  requireOwnedObject,
} from './application-type.js';
import { applyValuesToApplication } from './application-rules.js';
import { withKeyMaterial } from './certificates.js';
import { newApplication, seededApplication } from './create-application.js';
import { addFederatedIdentityRoutes } from './federated-identity.js';
import { applyCredentialChanges, addSecretOperations } from './secrets.js';
import { addTemplateRoutes } from './templates.js';
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
      deltaRelations: ['applicationOwners'],
      read: applicationReadAccess,
      write: applicationWriteAccess,
      authorize: requireOwnership,
      create: newApplication,
      upsertKey: 'uniqueName',
      change: async (request, current, values) => {
        const { otherValues, credentials } = await applyCredentialChanges(
          request.directory,
          current,
          values,
        );
        return {
          ...(await applyValuesToApplication(
            request.directory,
            current.id,
            current.body,
            otherValues,
          )),
          ...credentials,
        };
      },
      completeView: withKeyMaterial,
    });
    addSecretOperations(router, applicationType);
    addFederatedIdentityRoutes(router);
    addLogoRoutes(router);
    addTemplateRoutes(router);
  },
  start(directory) {
    directory.objects.listen({
      afterSave: async (object, before) => {
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
  async seedReferences(directory, { applications = [] }) {
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

const logoCollection = 'logos';
const maxLogoBytes = 100 * 1024;

/**
 * Adds the operations of an application's logo: an image of at most 100 KB, whose address is
 * returned as `info.logoUrl`.
 */
function addLogoRoutes(router: Router): void {
  const path = '/applications/{id}/logo';
  router.on('PUT', path, applicationWriteAccess, (request) => {
    const type = request.header('content-type') ?? '';
    if (!/^image\/[\w.+-]+/i.test(type))
      throw badRequest(`A logo must be an image; its Content-Type is '${type}'.`);
    if (request.bytes.length === 0 || request.bytes.length > maxLogoBytes)
      throw badRequest(`A logo must have 1 to ${maxLogoBytes} bytes.`);
    return changeLogo(request, async (id) => {
      await request.directory.records.put(logoCollection, id, 'logo', {
        type,
        data: request.bytes.toString('base64'),
      });
      return `${request.base}/applications/${id}/logo`;
    });
  });
  router.on('GET', path, applicationReadAccess, async (request) => {
    const application = await requireByPathKey(request, applicationType);
    const logo = await request.directory.records.get(logoCollection, application.id, 'logo');
    if (!logo) throw itemNotFound();
    return {
      status: 200,
      body: Buffer.from(String(logo.body['data']), 'base64'),
      contentType: String(logo.body['type']),
    };
  });
  router.on('DELETE', path, applicationWriteAccess, (request) =>
    changeLogo(request, async (id) => {
      await request.directory.records.remove(logoCollection, id, 'logo');
      return null;
    }),
  );
}

/** Changes a logo. @param store stores or deletes the image, and returns its address or null. */
function changeLogo(
  request: DirectoryRequest,
  store: (id: string) => Promise<string | null>,
): Promise<Reply> {
  return request.runInTransaction(async () => {
    const application = await requireOwnedObject(request, applicationType);
    const info: Body = isObject(application.body['info']) ? application.body['info'] : {};
    await request.directory.objects.save(application, {
      ...application.body,
      info: { ...info, logoUrl: await store(application.id) },
    });
  });
}
