import { applicationReadPermissions, applicationWritePermissions, applicationWriteRoles } from '../applications/application-type.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { conflict } from '../http/errors.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { servicePrincipalQueryRules } from '../odata/tables/application.js';

const text: Property = { type: 'string', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const flag: Property = { type: 'boolean', returned: 'default' };
const readOnlyDate: Property = { type: 'dateTime', returned: 'default', readOnly: true };
const strings: Property = { type: 'strings', returned: 'default' };
const readOnlyStrings: Property = { ...strings, readOnly: true };
const objects: Property = { type: 'objects', returned: 'default' };
const readOnlyObjects: Property = { ...objects, readOnly: true };
const object: Property = { type: 'object', returned: 'default' };

/** An application's presence in the tenant. What the application says is copied here whenever it changes. */
export const servicePrincipalType: ObjectType = {
  name: 'servicePrincipal',
  collection: 'servicePrincipals',
  open: true,
  queryRules: servicePrincipalQueryRules,
  readPermissions: applicationReadPermissions,
  writePermissions: applicationWritePermissions,
  writeRoles: applicationWriteRoles,
  softDelete: true,
  async checkRestore(directory, body) {
    if ((await directory.objects.findBy('servicePrincipal', 'app_id', String(body['appId']))).length > 0)
      throw conflict('appId', 'Another object with the same value for property appId already exists.');
  },
  navigations: {
    owners: { relations: ['applicationOwners'], direction: 'out' },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    claimsMappingPolicies: { relations: ['claimsMappingPolicies'], direction: 'out' },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
    appRoleAssignedTo: assignmentNavigation('appRoleAssignedTo'),
  },
  properties: {
    deletedDateTime: readOnlyDate,
    accountEnabled: flag,
    alternativeNames: strings,
    appDisplayName: readOnlyText,
    appDescription: readOnlyText,
    appId: text,
    applicationTemplateId: readOnlyText,
    appOwnerOrganizationId: readOnlyText,
    appRoleAssignmentRequired: flag,
    createdDateTime: readOnlyDate,
    description: text,
    disabledByMicrosoftStatus: readOnlyText,
    displayName: { ...text, notNull: true },
    homepage: text,
    loginUrl: text,
    logoutUrl: text,
    notes: text,
    notificationEmailAddresses: strings,
    preferredSingleSignOnMode: text,
    preferredTokenSigningKeyThumbprint: text,
    replyUrls: readOnlyStrings,
    servicePrincipalNames: readOnlyStrings,
    servicePrincipalType: readOnlyText,
    signInAudience: readOnlyText,
    tags: strings,
    tokenEncryptionKeyId: text,
    samlMetadataUrl: { ...text, returned: 'select' },
    samlSingleSignOnSettings: object,
    addIns: objects,
    appRoles: readOnlyObjects,
    info: { ...object, readOnly: true },
    keyCredentials: objects,
    oauth2PermissionScopes: readOnlyObjects,
    passwordCredentials: objects,
    resourceSpecificApplicationPermissions: readOnlyObjects,
    verifiedPublisher: { ...object, readOnly: true },
  },
};
