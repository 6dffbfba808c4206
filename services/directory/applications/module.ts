import { registration } from '../../../kinds/registration/registration.js';
import type { DirectoryModule } from '../directory-module.js';
import { referenceOperations } from '../kernel/reference-operations.js';
import { seedObject, seededReference } from '../kernel/seeding.js';
import { standardOperations } from '../kernel/standard-operations.js';
import { applicationRead, applicationWrite, checkOwnedBy } from './application-access.js';
import { nextApplication } from './application-rules.js';
import { applicationType } from './application-type.js';
import { keysWithMaterial, readKeyCredentials } from './certificates.js';
import { newApplication, seededApplication } from './create-application.js';
import { federatedIdentityRoutes } from './federated-identity.js';
import { findByKey, requireByKey } from './find-application.js';
import { followIdentifierUris } from './identifier-uris.js';
import { logoRoutes } from './logo.js';
import { ownerTypes } from './owner-binds.js';
import { secretOperations } from './secret-operations.js';
import { keptSecrets } from './secrets.js';
import { templateRoutes } from './templates.js';

/** Application registrations: what an application is, asks for and offers, its secrets, certificates and owners. */
export const applicationsModule: DirectoryModule = {
  types: [applicationType],
  routes(router) {
    standardOperations(router, {
      type: applicationType,
      path: '/applications',
      delta: ['applicationOwners'],
      read: applicationRead,
      write: applicationWrite,
      deletable: true,
      find: (request, key) => findByKey(request, 'application', key),
      create: newApplication,
      change: async (request, current, values) => {
        await checkOwnedBy(request, current);
        const { keyCredentials, passwordCredentials, ...rest } = values;
        const next = await nextApplication(request.directory, current.id, current.body, rest);
        return {
          ...next,
          ...(keyCredentials !== undefined && {
            keyCredentials: await readKeyCredentials(request.directory, current.id, current.body, keyCredentials),
          }),
          ...(passwordCredentials !== undefined && { passwordCredentials: keptSecrets(current.body, passwordCredentials) }),
        };
      },
      beforeDelete: checkOwnedBy,
      completed: async (request, object, shown) =>
        request.options.select?.includes('keyCredentials')
          ? { ...shown, keyCredentials: await keysWithMaterial(request.directory, object.id, object.body) }
          : shown,
    });
    referenceOperations(router, {
      path: '/applications',
      type: applicationType,
      name: 'owners',
      relation: 'applicationOwners',
      most: registration.properties.owners.maxItems,
      read: applicationRead,
      write: applicationWrite,
      targets: ownerTypes,
      find: (request) => requireByKey(request, 'application'),
      check: (request, source) => checkOwnedBy(request, source),
    });
    secretOperations(router, '/applications', (request) => requireByKey(request, 'application'));
    federatedIdentityRoutes(router);
    logoRoutes(router);
    templateRoutes(router);
  },
  start(directory) {
    directory.objects.listen({
      saved: async (object, before) => {
        if (object.type === 'application') await followIdentifierUris(directory, object.id, before, object.body);
      },
      removed: async (object) => {
        if (object.type === 'application') await followIdentifierUris(directory, object.id, object.body, undefined);
      },
    });
    return Promise.resolve();
  },
  async seed(directory, { applications = [] }) {
    for (const entry of applications) {
      const appId = entry['appId'];
      await seedObject(directory, applicationType, entry, {
        list: 'applications',
        apart: ['owners'],
        standing: async () => (typeof appId === 'string' ? (await directory.objects.findBy('application', 'app_id', appId))[0] : undefined),
        complete: (values, id) => seededApplication(directory, values, id),
      });
    }
  },
  async linkSeeded(directory, { applications = [] }) {
    for (const entry of applications) {
      if (!Array.isArray(entry['owners']) || typeof entry['id'] !== 'string') continue;
      const application = await directory.objects.get(entry['id']);
      for (const owner of application ? (entry['owners'] as unknown[]) : [])
        if (application)
          await directory.links.add(application, 'applicationOwners', await seededReference(directory, 'applications: owners', owner));
    }
  },
};
