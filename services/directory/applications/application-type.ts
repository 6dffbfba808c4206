import { application } from '../../../kinds/application/application.js';
import { describedProperties } from '../kernel/described-properties.js';
import type { ObjectType } from '../kernel/object-type.js';
import { applicationQueryRules } from '../odata/tables/application.js';
import { checkIdentifierUris } from './identifier-uris.js';

/** An application registration. */
export const applicationType: ObjectType = {
  name: 'application',
  collection: 'applications',
  keys: { appId: 'app_id', uniqueName: 'unique_name' },
  open: true,
  queryRules: applicationQueryRules,
  readPermissions: [
    'Application.Read.All',
    'Application.ReadWrite.All',
    'Application.ReadWrite.OwnedBy',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: ['Application.ReadWrite.All', 'Application.ReadWrite.OwnedBy', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'applicationAdministrator', 'cloudApplicationAdministrator'],
  softDelete: true,
  navigations: { owners: { relations: ['applicationOwners'], direction: 'out' } },
  checkRestore: (directory, body) => checkIdentifierUris(directory, body['identifierUris'], ''),
  properties: describedProperties(application),
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
