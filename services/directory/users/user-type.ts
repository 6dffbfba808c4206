import { user } from '../../../kinds/user/user.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { propertiesOfKind, type ObjectType } from '../kernel/object-type.js';
import {
  advancedText,
  commonPropertyRules,
  comparableText,
  sameRules,
  exactText,
  booleanRules,
  dateRules,
  licenceCollection,
  sortableText,
  type PropertyRules,
  withPrefixSearch,
  stringCollection,
} from '../odata/property-rules.js';
import { findByPathKey } from '../kernel/single-object.js';
import { insufficientPrivileges, objectNotFound } from '../http/answers.js';
import { type PathKey, pathKeyValue } from '../http/path.js';
import type { DirectoryRequest } from '../http/request.js';
import type { StoredObject } from '../store/objects.js';
import {
  type Access,
  hasPermission,
  readAccessOf,
  writeAccessOf,
} from '../authorization/access.js';

const innerPropertyText = {
  type: 'string',
  operators: ['eq'],
  advancedOperators: ['not', 'startsWith'],
} as const;
const advancedTextOrNull: PropertyRules = {
  ...advancedText,
  advancedOperators: [...(advancedText.advancedOperators ?? []), 'eq null'],
};
/** The query rules of users: the cloud's published operator table. */
const userQueryRules: Readonly<Record<string, PropertyRules>> = {
  ...commonPropertyRules,
  displayName: sortableText(['eq', 'ge', 'le', 'in', 'startsWith']),
  ...sameRules(
    comparableText,
    'city',
    'country',
    'department',
    'employeeId',
    'faxNumber',
    'postalCode',
    'state',
    'streetAddress',
    'usageLocation',
  ),
  ...sameRules(
    withPrefixSearch(comparableText),
    'givenName',
    'jobTitle',
    'mailNickname',
    'mobilePhone',
    'surname',
  ),
  mail: withPrefixSearch({
    ...comparableText,
    advancedOperators: ['ne', 'not', 'endsWith', 'eq null'],
  }),
  userPrincipalName: withPrefixSearch({
    ...comparableText,
    advancedOperators: ['ne', 'not', 'endsWith'],
  }),
  ...sameRules(
    exactText,
    'ageGroup',
    'consentProvidedForMinor',
    'creationType',
    'onPremisesImmutableId',
    'userType',
  ),
  onPremisesSecurityIdentifier: exactText,
  ...sameRules(
    advancedTextOrNull,
    'companyName',
    'employeeType',
    'officeLocation',
    'preferredLanguage',
  ),
  onPremisesSamAccountName: advancedText,
  passwordPolicies: { type: 'string', advancedOperators: ['eq', 'ne', 'not'] },
  ...sameRules(stringCollection, 'businessPhones', 'imAddresses', 'otherMails', 'proxyAddresses'),
  accountEnabled: { type: 'boolean', operators: ['eq', 'in'], advancedOperators: ['ne', 'not'] },
  onPremisesSyncEnabled: {
    ...booleanRules,
    operators: ['eq', 'in'],
    advancedOperators: ['ne', 'not', 'eq null'],
  },
  showInAddressList: booleanRules,
  createdDateTime: { ...dateRules, operators: ['eq', 'ge', 'le', 'in'] },
  deletedDateTime: dateRules,
  ...sameRules(
    { type: 'date', advancedOperators: ['eq', 'ne', 'not', 'ge', 'le', 'in'] },
    'employeeHireDate',
    'onPremisesLastSyncDateTime',
  ),
  assignedLicenses: licenceCollection,
  assignedPlans: {
    type: 'collection',
    operators: ['eq'],
    advancedOperators: ['not', '$count'],
    innerProperties: {
      servicePlanId: { type: 'guid', operators: ['eq'], advancedOperators: ['not'] },
      ...sameRules(innerPropertyText, 'service', 'capabilityStatus'),
    },
  },
};

/**
 * A user account. Eleven properties are returned by default, as clients expect; the others with
 * `$select`.
 */
export const userType: ObjectType = {
  name: 'user',
  collection: 'users',
  alternateKeys: { userPrincipalName: 'user_principal_name' },
  keyInPath: 'userPrincipalName',
  isOpenType: true,
  queryRules: {
    resource: 'User',
    properties: userQueryRules,
    expand: ['appRoleAssignments', 'manager', 'directReports', 'memberOf', 'ownedObjects'],
  },
  readPermissions: [
    'User.ReadBasic.All',
    'User.Read.All',
    'User.ReadWrite.All',
    'Directory.Read.All',
    'Directory.ReadWrite.All',
  ],
  writePermissions: ['User.ReadWrite.All', 'Directory.ReadWrite.All'],
  deletePermissions: ['User.DeleteRestore.All'],
  writeRoles: [
    'globalAdministrator',
    'userAdministrator',
    'directoryWriters',
    'helpdeskAdministrator',
  ],
  softDelete: true,
  navigations: {
    manager: { relations: ['manager'], direction: 'out', single: true },
    directReports: { relations: ['manager'], direction: 'in' },
    memberOf: { relations: ['members', 'unitMembers', 'roleMembers'], direction: 'in' },
    appRoleAssignments: assignmentNavigation('appRoleAssignments'),
    ownedObjects: { relations: ['owners', 'applicationOwners'], direction: 'in' },
  },
  lookupValues: (body) => ({ alternateKey: body['employeeId'] }),
  filterColumns: { employeeId: 'o.alternate_key' },
  properties: propertiesOfKind(user),
};

/** A user by id or user principal name. */
export function findUser(
  request: DirectoryRequest,
  key: PathKey,
): Promise<StoredObject | undefined> {
  return findByPathKey(request, userType, key);
}

/** @throws DirectoryError 404. */
export async function requireUser(
  request: DirectoryRequest,
  key = request.key('id'),
): Promise<StoredObject> {
  const user = await findUser(request, key);
  if (!user) throw objectNotFound(pathKeyValue(key));
  return user;
}

/** Who may list users: not guests. */
export const userListAccess: Access = { ...readAccessOf(userType), allowsGuests: false };

/**
 * Who may read one user. `User.Read` lets signed-in users read their own account:
 * {@link findReadableUser} checks that it is theirs.
 */
export const userReadAccess: Access = {
  delegated: [...userType.readPermissions, 'User.Read', 'User.ReadWrite'],
  application: userType.readPermissions,
};

/** Who may create, change and delete users. */
export const userWriteAccess: Access = writeAccessOf(userType);

/**
 * The user of a path. Callers without permission to read users see only themselves; those who may
 * delete users find them for that.
 *
 * @throws DirectoryError 403 for another user than the caller may read.
 */
export async function findReadableUser(
  request: DirectoryRequest,
  key = request.key('id'),
): Promise<StoredObject | undefined> {
  const { readPermissions, deletePermissions = [] } = userType;
  const permissions =
    request.method === 'DELETE' ? [...readPermissions, ...deletePermissions] : readPermissions;
  if (!hasPermission(request.caller, ...permissions) && !(await isOwnAccount(request)))
    throw insufficientPrivileges();
  return findUser(request, key);
}

/** As {@link findReadableUser}. @throws DirectoryError 404 for an unknown user. */
export async function requireReadableUser(request: DirectoryRequest): Promise<StoredObject> {
  const key = request.key('id');
  const user = await findReadableUser(request, key);
  if (!user) throw objectNotFound(pathKeyValue(key));
  return user;
}

/** Whether the request is about the signed-in user's own account. */
export async function isOwnAccount(request: DirectoryRequest): Promise<boolean> {
  const user = await findUser(request, request.key('id'));
  return request.caller.kind === 'user' && user?.id === request.caller.objectId.toLowerCase();
}
