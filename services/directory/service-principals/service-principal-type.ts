import {
  applicationType,
  entitlementRules,
  ownedWriteAccess,
  ownerTypes,
} from '../applications/application-type.js';
import type { Access } from '../authorization/access.js';
import { servicePrincipal } from '../../../kinds/service-principal/service-principal.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { propertiesOfKind, type ObjectType } from '../kernel/object-type.js';
import {
  commonPropertyRules,
  comparableText,
  descriptionText,
  sameRules,
  exactText,
  booleanRules,
  objectCollection,
  sortableText,
  stringCollection,
} from '../odata/property-rules.js';
import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Body, StoredObject } from '../store/objects.js';

/**
 * An application's representation in the tenant. Values of the application are copied here whenever
 * it changes.
 */
export const servicePrincipalType: ObjectType = {
  name: 'servicePrincipal',
  collection: 'servicePrincipals',
  alternateKeys: { appId: 'app_id', uniqueName: 'unique_name' },
  isOpenType: true,
  queryRules: {
    resource: 'ServicePrincipal',
    properties: {
      ...commonPropertyRules,
      description: descriptionText,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      appDisplayName: comparableText,
      ...sameRules(
        exactText,
        'appId',
        'applicationTemplateId',
        'appOwnerOrganizationId',
        'homepage',
        'preferredSingleSignOnMode',
      ),
      ...sameRules(exactText, 'servicePrincipalType', 'signInAudience'),
      ...sameRules(
        stringCollection,
        'alternativeNames',
        'replyUrls',
        'servicePrincipalNames',
        'tags',
      ),
      accountEnabled: {
        ...booleanRules,
        operators: ['eq', 'in'],
        advancedOperators: ['ne', 'not'],
      },
      appRoleAssignmentRequired: booleanRules,
      appRoles: entitlementRules('id', 'value', 'displayName'),
      oauth2PermissionScopes: entitlementRules('id', 'value'),
      ...sameRules(objectCollection('keyId'), 'keyCredentials', 'passwordCredentials'),
    },
    expand: [
      'owners',
      'memberOf',
      'appRoleAssignments',
      'appRoleAssignedTo',
      'claimsMappingPolicies',
    ],
    countFilters: ['owners'],
  },
  binds: ['owners'],
  readPermissions: applicationType.readPermissions,
  writePermissions: applicationType.writePermissions,
  writeRoles: applicationType.writeRoles,
  softDelete: true,
  navigations: {
    owners: {
      relations: ['applicationOwners'],
      direction: 'out',
      references: { targetTypes: ownerTypes },
    },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    claimsMappingPolicies: {
      relations: ['claimsMappingPolicies'],
      direction: 'out',
      references: { targetTypes: ['claimsMappingPolicy'] },
    },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
    appRoleAssignedTo: assignmentNavigation('appRoleAssignedTo'),
  },
  properties: propertiesOfKind(servicePrincipal),
};

/** Who may change service principals. */
export const servicePrincipalWriteAccess: Access = ownedWriteAccess(servicePrincipalType);

/** The values that a service principal copies from its application. */
export function propertiesFromApplication(application: Body): Record<string, unknown> {
  const api = objectProperty(application, 'api');
  const web = objectProperty(application, 'web');
  return {
    displayName: application['displayName'],
    appDisplayName: application['displayName'],
    appDescription: application['description'] ?? null,
    appRoles: application['appRoles'] ?? [],
    oauth2PermissionScopes: api['oauth2PermissionScopes'] ?? [],
    replyUrls: [
      ...redirectUrisOf(web),
      ...redirectUrisOf(objectProperty(application, 'spa')),
      ...redirectUrisOf(objectProperty(application, 'publicClient')),
    ],
    homepage: web['homePageUrl'] ?? null,
    logoutUrl: web['logoutUrl'] ?? null,
    signInAudience: application['signInAudience'] ?? null,
    servicePrincipalNames: [
      application['appId'],
      ...(Array.isArray(application['identifierUris']) ? application['identifierUris'] : []),
    ],
    info: application['info'] ?? null,
    verifiedPublisher: application['verifiedPublisher'] ?? null,
  };
}

/**
 * Updates the service principal of an application. Runs in the transaction of the application's
 * change.
 */
export async function syncWithApplication(
  directory: Directory,
  application: StoredObject,
): Promise<void> {
  const appId = String(application.body['appId']);
  const derived = propertiesFromApplication(application.body);
  for (const principal of await directory.objects.findBy('servicePrincipal', 'app_id', appId)) {
    const next = { ...principal.body, ...derived };
    if (JSON.stringify(next) !== JSON.stringify(principal.body))
      await directory.objects.save(principal, next);
  }
}

function objectProperty(application: Body, name: string): Body {
  const value = application[name];
  return isObject(value) ? value : {};
}

function redirectUrisOf(platform: Body): readonly unknown[] {
  return Array.isArray(platform['redirectUris']) ? (platform['redirectUris'] as unknown[]) : [];
}
