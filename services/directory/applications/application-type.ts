import { application } from '../../../kinds/application/application.js';
import { objectConflict, insufficientPrivileges } from '../http/answers.js';
import { propertiesOfKind, type ObjectType } from '../kernel/object-type.js';
import { foldCase } from '../odata/index.js';
import {
  commonPropertyRules,
  comparableText,
  descriptionText,
  sameRules,
  exactText,
  booleanRules,
  dateRules,
  objectCollection,
  sortableText,
  type PropertyRules,
  stringCollection,
} from '../odata/property-rules.js';
import type { Body, StoredObject } from '../store/objects.js';
import type { Caller } from '../../common/caller.js';
import type { Stores } from '../store/stores.js';
import type { DirectoryRequest } from '../http/request.js';
import {
  type Access,
  hasPermission,
  readAccessOf,
  writeAccessOf,
} from '../authorization/access.js';
import { findByPathKey, requireByPathKey } from '../kernel/single-object.js';
import { registration } from '../../../kinds/registration/registration.js';

/** The query rules of app roles or scopes: of these properties, and of `isEnabled`. */
export function entitlementRules(...names: readonly string[]): PropertyRules {
  const rules = objectCollection(...names);
  return {
    ...rules,
    innerProperties: {
      ...rules.innerProperties,
      isEnabled: { type: 'boolean', operators: ['eq'], advancedOperators: ['not', 'startsWith'] },
    },
  };
}

/** The types that may own applications and service principals. */
export const ownerTypes: readonly string[] = ['user', 'servicePrincipal'];

/** An application registration. */
export const applicationType: ObjectType = {
  name: 'application',
  collection: 'applications',
  alternateKeys: { appId: 'app_id', uniqueName: 'unique_name' },
  isOpenType: true,
  queryRules: {
    resource: 'Application',
    properties: {
      ...commonPropertyRules,
      description: descriptionText,
      displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
      ...sameRules(
        exactText,
        'appId',
        'applicationTemplateId',
        'serviceManagementReference',
        'uniqueName',
      ),
      ...sameRules(comparableText, 'groupMembershipClaims', 'publisherDomain', 'signInAudience'),
      ...sameRules(stringCollection, 'identifierUris', 'tags'),
      isFallbackPublicClient: booleanRules,
      createdDateTime: { ...dateRules, operators: ['eq', 'ge', 'le', 'in'] },
      appRoles: entitlementRules('id', 'value', 'displayName'),
      ...sameRules(objectCollection('keyId'), 'keyCredentials', 'passwordCredentials'),
      requiredResourceAccess: objectCollection('resourceAppId'),
    },
    expand: ['owners'],
    countFilters: ['owners'],
  },
  binds: ['owners'],
  readPermissions: [
    'Application.Read.All',
    'Application.ReadWrite.All',
    'Application.ReadWrite.OwnedBy',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: [
    'Application.ReadWrite.All',
    'Application.ReadWrite.OwnedBy',
    'Directory.ReadWrite.All',
  ],
  writeRoles: ['globalAdministrator', 'applicationAdministrator', 'cloudApplicationAdministrator'],
  softDelete: true,
  navigations: {
    owners: {
      relations: ['applicationOwners'],
      direction: 'out',
      references: { targetTypes: ownerTypes, maximum: registration.properties.owners.maxItems },
    },
  },
  checkRestore: (directory, body) => checkIdentifierUris(directory, body['identifierUris'], ''),
  properties: propertiesOfKind(application),
};

/** The default values of a new application. */
export function applicationDefaults(): Record<string, unknown> {
  return {
    signInAudience: 'AzureADMyOrg',
    identifierUris: [],
    tags: [],
    groupMembershipClaims: null,
    api: {
      acceptMappedClaims: null,
      knownClientApplications: [],
      requestedAccessTokenVersion: null,
      oauth2PermissionScopes: [],
      preAuthorizedApplications: [],
    },
    appRoles: [],
    info: {
      logoUrl: null,
      marketingUrl: null,
      privacyStatementUrl: null,
      supportUrl: null,
      termsOfServiceUrl: null,
    },
    keyCredentials: [],
    passwordCredentials: [],
    parentalControlSettings: { countriesBlockedForMinors: [], legalAgeGroupRule: 'Allow' },
    publicClient: { redirectUris: [] },
    requiredResourceAccess: [],
    verifiedPublisher: { displayName: null, verifiedPublisherId: null, addedDateTime: null },
    web: {
      homePageUrl: null,
      logoutUrl: null,
      redirectUris: [],
      implicitGrantSettings: { enableAccessTokenIssuance: false, enableIdTokenIssuance: false },
    },
    spa: { redirectUris: [] },
  };
}

/** The complex properties whose members are merged; all others are replaced whole. */
export const mergedApplicationProperties = [
  'api',
  'web',
  'spa',
  'publicClient',
  'info',
  'parentalControlSettings',
];

/** The application of each identifier URI, stored as records of the tenant by the folded URI. */
const identifierUriCollection = 'identifierUris';

/**
 * Checks that the identifier URIs of an application are unique in the tenant and within the
 * application.
 *
 * @throws DirectoryError 400.
 */
export async function checkIdentifierUris(
  directory: Stores,
  uris: unknown,
  ownId: string,
): Promise<void> {
  const previous = new Set<string>();
  for (const uri of urisOf(uris)) {
    const key = foldCase(uri);
    const existing = await directory.records.get(identifierUriCollection, '', key);
    if (previous.has(key) || (existing && existing.body['applicationId'] !== ownId))
      throw objectConflict(
        'Another object with the same value for property identifierUris already exists.',
        'identifierUris',
      );
    previous.add(key);
  }
}

/** Updates the index of identifier URIs when an application is created, changed or deleted. */
export async function updateIdentifierUris(
  directory: Stores,
  id: string,
  before: Body | undefined,
  after: Body | undefined,
): Promise<void> {
  const [oldUris, newUris] = [
    urisOf(before?.['identifierUris']),
    urisOf(after?.['identifierUris']),
  ];
  if (oldUris.join('\n') === newUris.join('\n') && before && after) return;
  for (const uri of oldUris)
    await directory.records.remove(identifierUriCollection, '', foldCase(uri));
  for (const uri of newUris)
    await directory.records.put(identifierUriCollection, '', foldCase(uri), { applicationId: id });
}

function urisOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Who may read applications and service principals. */
export const applicationReadAccess: Access = readAccessOf(applicationType);

/**
 * Who may change objects of a type that has `applicationOwners`: administrators, and owners of the
 * object. Everyone but guests may create them.
 */
export function ownedWriteAccess(type: ObjectType): Access {
  return {
    ...writeAccessOf(type),
    admitsWithoutRole: async (request) => {
      const key = request.key('id');
      const object = key === '' ? undefined : await findByPathKey(request, type, key);
      if (object) return isOwner(request, object);
      const isCreation = key === '' ? request.method === 'POST' : request.createsIfMissing;
      return isCreation && !request.caller.isGuest;
    },
  };
}

/** Who may change applications. */
export const applicationWriteAccess: Access = ownedWriteAccess(applicationType);

/**
 * Checks that an application with permission for its own objects only (`OwnedBy`) owns the object.
 *
 * @throws DirectoryError 403.
 */
export async function requireOwnership(
  request: DirectoryRequest,
  object: StoredObject,
): Promise<void> {
  if (changesOwnedObjectsOnly(request.caller) && !(await isOwner(request, object)))
    throw insufficientPrivileges('the application does not own this object');
}

/** Whether the caller is an application with no other permission than `OwnedBy`. */
export function changesOwnedObjectsOnly(caller: Caller): boolean {
  return (
    caller.kind === 'application' &&
    !hasPermission(caller, 'Application.ReadWrite.All', 'Directory.ReadWrite.All')
  );
}

/**
 * The application or service principal of a path, if the caller may change it. Call in a
 * transaction.
 *
 * @throws DirectoryError 404, 403.
 */
export async function requireOwnedObject(
  request: DirectoryRequest,
  type: ObjectType,
): Promise<StoredObject> {
  const object = await requireByPathKey(request, type);
  await requireOwnership(request, object);
  return object;
}

async function isOwner(
  { directory, caller }: DirectoryRequest,
  object: StoredObject,
): Promise<boolean> {
  const self = await directory.objects.get(caller.objectId);
  return self !== undefined && directory.links.has(object, 'applicationOwners', self);
}
