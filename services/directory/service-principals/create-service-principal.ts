import { randomUUID } from 'node:crypto';
import { storeKeyCredentials } from '../applications/certificates.js';
import { initialOwnersOf } from '../applications/create-application.js';
import { DirectoryError, badRequest } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { NewObject } from '../kernel/standard-operations.js';
import { requireProperties } from '../kernel/body-properties.js';
import type { Body } from '../store/objects.js';
import { propertiesFromApplication, servicePrincipalType } from './service-principal-type.js';
import { formatInstant } from '../kernel/presentation.js';
import { isObject } from '../../../core/values/is-object.js';

/**
 * Creates the service principal of an application. Call in a transaction.
 *
 * @throws DirectoryError 400 for an unknown application, 409 when it has one already.
 */
export async function newServicePrincipal(
  request: DirectoryRequest,
  values: Record<string, unknown>,
  body: Body,
): Promise<NewObject> {
  const { directory } = request;
  requireProperties(servicePrincipalType, values, ['appId']);
  const appId = String(values['appId']).toLowerCase();
  const [application] = await directory.objects.findBy('application', 'app_id', appId);
  if (!application)
    throw badRequest(
      `The appId '${appId}' of the service principal does not reference a valid application object.`,
      'appId',
    );
  if ((await directory.objects.findBy('servicePrincipal', 'app_id', appId)).length > 0)
    throw new DirectoryError(
      409,
      'Request_MultipleObjectsWithSameKeyValue',
      `The service principal cannot be created, updated, or restored because the service principal name ${appId} is already in use.`,
    );
  const id = randomUUID();
  const { keyCredentials, passwordCredentials: _never, displayName: _derived, ...rest } = values;
  const owners = await initialOwnersOf(request, body);
  return {
    id,
    body: {
      ...emptyServicePrincipal(directory, request),
      ...withClearedSingleSignOn(rest),
      ...propertiesFromApplication(application.body),
      appId,
      keyCredentials: await storeKeyCredentials(directory, id, {}, keyCredentials),
    },
    afterCreate: async (object) => {
      for (const owner of owners) await directory.links.add(object, 'applicationOwners', owner);
    },
  };
}

/** The default values of a service principal. */
export function emptyServicePrincipal(
  directory: Directory,
  request?: { readonly base: string; readonly tenantId: string },
): Record<string, unknown> {
  return {
    accountEnabled: true,
    alternativeNames: [],
    appOwnerOrganizationId: request?.tenantId ?? directory.tenant.id,
    appRoleAssignmentRequired: false,
    createdDateTime: formatInstant(directory.clock.now()),
    keyCredentials: [],
    notificationEmailAddresses: [],
    passwordCredentials: [],
    servicePrincipalType: 'Application',
    tags: [],
    ...(request !== undefined && {
      samlMetadataUrl: `${new URL(request.base).origin}/${request.tenantId}/federationmetadata/2007-06/federationmetadata.xml`,
    }),
  };
}

/** Replaces empty single sign-on settings (`{}`) by null, which clears them. */
export function withClearedSingleSignOn(values: Record<string, unknown>): Record<string, unknown> {
  const settings = values['samlSingleSignOnSettings'];
  const clears = isObject(settings) && Object.keys(settings).every((name) => name.includes('@'));
  return clears ? { ...values, samlSingleSignOnSettings: null } : values;
}
