import type { DirectoryRole } from '../authorization/directory-roles.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { conflict } from '../http/errors.js';
import type { ObjectType, Property } from '../kernel/object-type.js';
import { userQueryRules } from '../odata/tables/user.js';

const text: Property = { type: 'string', returned: 'select' };
const shownText: Property = { type: 'string', returned: 'default' };
const readOnlyText: Property = { ...text, readOnly: true };
const flag: Property = { type: 'boolean', returned: 'select' };
const date: Property = { type: 'dateTime', returned: 'select' };
const readOnlyDate: Property = { ...date, readOnly: true };
const strings: Property = { type: 'strings', returned: 'select' };
const readOnlyStrings: Property = { ...strings, readOnly: true };
const objects: Property = { type: 'objects', returned: 'select', readOnly: true };

/** Permissions that show users. */
export const userReadPermissions = [
  'User.ReadBasic.All',
  'User.Read.All',
  'User.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
];

/** Permissions and directory roles of which writing users needs one each. */
export const userWritePermissions = ['User.ReadWrite.All', 'Directory.ReadWrite.All'];
export const userWriteRoles: readonly DirectoryRole[] = [
  'globalAdministrator',
  'userAdministrator',
  'directoryWriters',
  'helpdeskAdministrator',
];

/** A person's account. Eleven properties are shown by default, as clients expect; the rest comes by `$select`. */
export const userType: ObjectType = {
  name: 'user',
  collection: 'users',
  open: true,
  queryRules: userQueryRules,
  readPermissions: userReadPermissions,
  writePermissions: userWritePermissions,
  writeRoles: userWriteRoles,
  async checkRestore(directory, body) {
    const name = body['userPrincipalName'];
    if (typeof name === 'string' && (await directory.objects.findBy('user', 'user_principal_name', name)).length > 0)
      throw conflict('userPrincipalName', 'Another object with the same value for property userPrincipalName already exists.');
  },
  softDelete: true,
  navigations: {
    manager: { relations: ['manager'], direction: 'out', single: true },
    directReports: { relations: ['manager'], direction: 'in' },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
    ownedObjects: { relations: ['owners', 'applicationOwners'], direction: 'in' },
  },
  lookups: (body) => ({ alternateKey: body['employeeId'] }),
  lookupColumns: { employeeId: 'o.alternate_key' },
  properties: {
    businessPhones: { type: 'strings', returned: 'default' },
    displayName: { ...shownText, notNull: true },
    givenName: shownText,
    jobTitle: shownText,
    mail: shownText,
    mobilePhone: shownText,
    officeLocation: shownText,
    preferredLanguage: shownText,
    surname: shownText,
    userPrincipalName: { ...shownText, notNull: true },
    aboutMe: text,
    accountEnabled: { ...flag, notNull: true },
    ageGroup: text,
    assignedLicenses: objects,
    assignedPlans: objects,
    birthday: date,
    city: text,
    companyName: text,
    consentProvidedForMinor: text,
    country: text,
    createdDateTime: readOnlyDate,
    creationType: readOnlyText,
    deletedDateTime: readOnlyDate,
    department: text,
    employeeHireDate: date,
    employeeId: text,
    employeeLeaveDateTime: date,
    employeeOrgData: { type: 'object', returned: 'select' },
    employeeType: text,
    externalUserState: readOnlyText,
    externalUserStateChangeDateTime: readOnlyDate,
    faxNumber: text,
    hireDate: date,
    identities: { type: 'objects', returned: 'select' },
    imAddresses: readOnlyStrings,
    interests: strings,
    isManagementRestricted: { ...flag, readOnly: true },
    isResourceAccount: flag,
    lastPasswordChangeDateTime: readOnlyDate,
    legalAgeGroupClassification: readOnlyText,
    licenseAssignmentStates: objects,
    mailNickname: text,
    mySite: text,
    onPremisesDistinguishedName: readOnlyText,
    onPremisesDomainName: readOnlyText,
    onPremisesExtensionAttributes: { type: 'object', returned: 'select' },
    onPremisesImmutableId: text,
    onPremisesLastSyncDateTime: readOnlyDate,
    onPremisesProvisioningErrors: objects,
    onPremisesSamAccountName: readOnlyText,
    onPremisesSecurityIdentifier: readOnlyText,
    onPremisesSyncEnabled: { ...flag, readOnly: true },
    onPremisesUserPrincipalName: readOnlyText,
    otherMails: strings,
    passwordPolicies: text,
    passwordProfile: { type: 'object', returned: 'select' },
    pastProjects: strings,
    postalCode: text,
    preferredDataLocation: text,
    preferredName: text,
    provisionedPlans: objects,
    proxyAddresses: readOnlyStrings,
    responsibilities: strings,
    schools: strings,
    securityIdentifier: readOnlyText,
    showInAddressList: flag,
    signInSessionsValidFromDateTime: readOnlyDate,
    skills: strings,
    state: text,
    streetAddress: text,
    usageLocation: text,
    userType: text,
  },
};
