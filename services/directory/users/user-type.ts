import { user } from '../../../kinds/user/user.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { describedProperties } from '../kernel/described-properties.js';
import type { ObjectType } from '../kernel/object-type.js';
import {
  advancedOnly,
  base,
  comparable,
  each,
  exact,
  flag,
  instant,
  licences,
  orderable,
  type PropertyRules,
  searched,
  strings,
} from '../odata/property-rules.js';
import { requireFree } from '../kernel/single.js';

const member = { type: 'string', default: ['eq'], advanced: ['not', 'startsWith'] } as const;
const withNull: PropertyRules = { ...advancedOnly, advanced: [...(advancedOnly.advanced ?? []), 'eq null'] };
/** What queries may ask of users: the cloud's published operator table. */
const queries: Readonly<Record<string, PropertyRules>> = {
  ...base,
  displayName: orderable(['eq', 'ge', 'le', 'in', 'startsWith']),
  ...each(comparable, 'city', 'country', 'department', 'employeeId', 'faxNumber', 'postalCode', 'state', 'streetAddress', 'usageLocation'),
  ...each(searched(comparable), 'givenName', 'jobTitle', 'mailNickname', 'mobilePhone', 'surname'),
  mail: searched({ ...comparable, advanced: ['ne', 'not', 'endsWith', 'eq null'] }),
  userPrincipalName: searched({ ...comparable, advanced: ['ne', 'not', 'endsWith'] }),
  ...each(exact, 'ageGroup', 'consentProvidedForMinor', 'creationType', 'onPremisesImmutableId', 'userType'),
  onPremisesSecurityIdentifier: exact,
  ...each(withNull, 'companyName', 'employeeType', 'officeLocation', 'preferredLanguage'),
  onPremisesSamAccountName: advancedOnly,
  passwordPolicies: { type: 'string', advanced: ['eq', 'ne', 'not'] },
  ...each(strings, 'businessPhones', 'imAddresses', 'otherMails', 'proxyAddresses'),
  accountEnabled: { type: 'boolean', default: ['eq', 'in'], advanced: ['ne', 'not'] },
  onPremisesSyncEnabled: { ...flag, default: ['eq', 'in'], advanced: ['ne', 'not', 'eq null'] },
  showInAddressList: flag,
  createdDateTime: { ...instant, default: ['eq', 'ge', 'le', 'in'] },
  deletedDateTime: { ...instant, orderby: 'advanced' },
  ...each({ type: 'date', advanced: ['eq', 'ne', 'not', 'ge', 'le', 'in'] }, 'employeeHireDate', 'onPremisesLastSyncDateTime'),
  assignedLicenses: licences,
  assignedPlans: {
    type: 'collection',
    default: ['eq'],
    advanced: ['not', '$count'],
    members: { servicePlanId: { type: 'guid', default: ['eq'], advanced: ['not'] }, ...each(member, 'service', 'capabilityStatus') },
  },
};

/** A person's account. Eleven properties are shown by default, as clients expect; the rest comes by `$select`. */
export const userType: ObjectType = {
  name: 'user',
  collection: 'users',
  keys: { userPrincipalName: 'user_principal_name' },
  nameKey: 'userPrincipalName',
  open: true,
  queryRules: {
    resource: 'User',
    properties: queries,
    expand: ['appRoleAssignments', 'manager', 'directReports', 'memberOf', 'ownedObjects'],
  },
  readPermissions: ['User.ReadBasic.All', 'User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  writePermissions: ['User.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'userAdministrator', 'directoryWriters', 'helpdeskAdministrator'],
  checkRestore: (directory, body) => requireFree(directory, 'user', 'user_principal_name', 'userPrincipalName', body['userPrincipalName']),
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
  properties: describedProperties(user),
};
