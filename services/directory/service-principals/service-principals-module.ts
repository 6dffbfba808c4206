import { applicationReadAccess, requireOwnership } from '../applications/application-type.js';
import { withKeyMaterial } from '../applications/certificates.js';
import { applyCredentialChanges, addSecretOperations } from '../applications/secrets.js';
import type { Directory } from '../kernel/directory.js';
import type { DirectoryModule } from '../directory-module.js';
import { addReferringObjectRoutes } from '../kernel/reference-operations.js';
import { seedObject } from '../kernel/seeding.js';
import { requireByPathKey } from '../kernel/single-object.js';
import { addStandardOperations } from '../kernel/standard-operations.js';
import { mergeProperties } from '../kernel/body-properties.js';
import type { Body } from '../store/objects.js';
import { badRequest } from '../http/answers.js';
import { claimsMappingPolicyType, addClaimsMappingRoutes } from './claims-mapping-policies.js';
import {
  emptyServicePrincipal,
  newServicePrincipal,
  withClearedSingleSignOn,
} from './create-service-principal.js';
import {
  propertiesFromApplication,
  syncWithApplication,
  servicePrincipalType,
  servicePrincipalWriteAccess,
} from './service-principal-type.js';
import { addFirstPartyPrincipals, checkNotFirstParty } from './first-party.js';
import { addTokenSigningRoutes } from './signing-certificates.js';

/**
 * Service principals, the representations of applications in this tenant. Values copied from the
 * application follow its changes.
 */
export const servicePrincipalsModule: DirectoryModule = {
  types: [servicePrincipalType, claimsMappingPolicyType],
  routes(router) {
    addStandardOperations(router, {
      type: servicePrincipalType,
      deltaRelations: ['applicationOwners'],
      read: applicationReadAccess,
      write: servicePrincipalWriteAccess,
      authorize: requireOwnership,
      create: newServicePrincipal,
      upsertKey: 'appId',
      change: async (request, current, values) => {
        if (
          values['appId'] !== undefined &&
          String(values['appId']).toLowerCase() !== current.body['appId']
        )
          throw badRequest("The property 'appId' cannot be changed.", 'appId');
        const { appId: _same, ...changes } = withClearedSingleSignOn(values);
        const { otherValues, credentials } = await applyCredentialChanges(
          request.directory,
          current,
          changes,
        );
        return { ...mergeProperties(current.body, otherValues), ...credentials };
      },
      beforeDelete: (_request, object) => checkNotFirstParty(object),
      completeView: withKeyMaterial,
    });
    addSecretOperations(router, servicePrincipalType);
    addReferringObjectRoutes(router, '/servicePrincipals/{id}/ownedObjects', {
      access: applicationReadAccess,
      find: (request) => requireByPathKey(request, servicePrincipalType),
      relations: ['owners', 'applicationOwners'],
    });
    addTokenSigningRoutes(router);
    addClaimsMappingRoutes(router);
  },
  async start(directory) {
    directory.objects.listen({
      afterSave: async (object, before) => {
        if (object.type === 'application') await syncWithApplication(directory, object);
        // The application may have changed while its service principal was deleted.
        if (object.type === 'servicePrincipal' && before === undefined)
          for (const application of await directory.objects.findBy(
            'application',
            'app_id',
            String(object.body['appId']),
          ))
            await syncWithApplication(directory, application);
      },
      // As in the cloud, the restore of an application brings back the application alone.
      afterRemoval: async (object) => {
        if (object.type !== 'application') return;
        for (const principal of await directory.objects.findBy(
          'servicePrincipal',
          'app_id',
          String(object.body['appId']),
        ))
          await directory.deletion.delete(principal);
      },
    });
    if (directory.dialect === 'azure') await addFirstPartyPrincipals(directory);
  },
  async seed(directory, { servicePrincipals = [] }) {
    for (const entry of servicePrincipals) {
      const appId = typeof entry['appId'] === 'string' ? entry['appId'] : undefined;
      const [application] =
        appId === undefined ? [] : await directory.objects.findBy('application', 'app_id', appId);
      await seedObject(directory, servicePrincipalType, entry, {
        list: 'servicePrincipals',
        notStored: ['owners', 'appRoleAssignedTo'],
        withDefaults: (values, id) => withSeedDefaults(directory, values, id, application?.body),
      });
    }
  },
};

function withSeedDefaults(
  directory: Directory,
  values: Body,
  id: string,
  application: Body | undefined,
): Body {
  const appId = values['appId'] ?? id;
  const derived = application
    ? propertiesFromApplication(application)
    : { servicePrincipalNames: [appId], replyUrls: [], appRoles: [], oauth2PermissionScopes: [] };
  return { displayName: id, ...emptyServicePrincipal(directory), ...derived, ...values, appId };
}
