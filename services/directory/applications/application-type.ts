import type { DirectoryRole } from '../authorization/directory-roles.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { applicationQueryRules } from '../odata/tables/application.js';
import { checkIdentifierUris } from './identifier-uris.js';

const text: Property = { type: 'string', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const flag: Property = { type: 'boolean', returned: 'default' };
const readOnlyDate: Property = { type: 'dateTime', returned: 'default', readOnly: true };
const strings: Property = { type: 'strings', returned: 'default' };
const objects: Property = { type: 'objects', returned: 'default' };
const object: Property = { type: 'object', returned: 'default' };

/** Permissions that show applications and service principals. */
export const applicationReadPermissions = [
  'Application.Read.All',
  'Application.ReadWrite.All',
  'Application.ReadWrite.OwnedBy',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];
/** Permissions and directory roles of which writing them needs one each. */
export const applicationWritePermissions = ['Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy', 'Directory.ReadWrite.All'];
export const applicationWriteRoles: readonly DirectoryRole[] = [
  'globalAdministrator',
  'applicationAdministrator',
  'cloudApplicationAdministrator',
];

/** An application registration. */
export const applicationType: ObjectType = {
  name: 'application',
  collection: 'applications',
  open: true,
  queryRules: applicationQueryRules,
  readPermissions: applicationReadPermissions,
  writePermissions: applicationWritePermissions,
  writeRoles: applicationWriteRoles,
  softDelete: true,
  navigations: { owners: { relations: ['applicationOwners'], direction: 'out' } },
  checkRestore: (directory, body) => checkIdentifierUris(directory, body['identifierUris'], ''),
  properties: {
    deletedDateTime: readOnlyDate,
    appId: readOnlyText,
    applicationTemplateId: readOnlyText,
    disabledByMicrosoftStatus: readOnlyText,
    createdDateTime: readOnlyDate,
    displayName: { ...text, notNull: true },
    description: text,
    groupMembershipClaims: text,
    identifierUris: strings,
    isDeviceOnlyAuthSupported: flag,
    isFallbackPublicClient: flag,
    nativeAuthenticationApisEnabled: text,
    notes: text,
    publisherDomain: readOnlyText,
    serviceManagementReference: text,
    signInAudience: text,
    tags: strings,
    tokenEncryptionKeyId: text,
    uniqueName: readOnlyText,
    samlMetadataUrl: text,
    defaultRedirectUri: text,
    certification: { ...object, readOnly: true },
    optionalClaims: object,
    servicePrincipalLockConfiguration: object,
    requestSignatureVerification: object,
    oauth2RequirePostResponse: { ...flag, returned: 'select' },
    authenticationBehaviors: { ...object, returned: 'select' },
    addIns: objects,
    api: object,
    appRoles: objects,
    info: object,
    keyCredentials: objects,
    parentalControlSettings: object,
    passwordCredentials: objects,
    publicClient: object,
    requiredResourceAccess: objects,
    verifiedPublisher: { ...object, readOnly: true },
    web: object,
    spa: object,
  },
};

/** What a new application holds where nothing is said, so that later changes can extend it. */
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
    info: { logoUrl: null, marketingUrl: null, privacyStatementUrl: null, supportUrl: null, termsOfServiceUrl: null },
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
export const mergedApplicationProperties = ['api', 'web', 'spa', 'publicClient', 'info', 'parentalControlSettings'];
