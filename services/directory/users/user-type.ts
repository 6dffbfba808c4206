import { user } from '../../../kinds/user/user.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { conflict } from '../http/errors.js';
import { describedProperties } from '../kernel/described-properties.js';
import type { ObjectType } from '../kernel/object-type.js';
import { userQueryRules } from '../odata/tables/user.js';

/** A person's account. Eleven properties are shown by default, as clients expect; the rest comes by `$select`. */
export const userType: ObjectType = {
  name: 'user',
  collection: 'users',
  keys: { userPrincipalName: 'user_principal_name' },
  nameKey: 'userPrincipalName',
  open: true,
  queryRules: userQueryRules,
  readPermissions: ['User.ReadBasic.All', 'User.Read.All', 'User.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All'],
  writePermissions: ['User.ReadWrite.All', 'Directory.ReadWrite.All'],
  writeRoles: ['globalAdministrator', 'userAdministrator', 'directoryWriters', 'helpdeskAdministrator'],
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
  properties: describedProperties(user),
};
