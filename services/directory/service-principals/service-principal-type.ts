import { servicePrincipal } from '../../../kinds/service-principal/service-principal.js';
import { applicationReadPermissions, applicationWritePermissions, applicationWriteRoles } from '../applications/application-type.js';
import { assignmentNavigation } from '../grants/assignment-store.js';
import { conflict } from '../http/errors.js';
import { describedProperties } from '../kernel/described-properties.js';
import type { ObjectType } from '../kernel/object-type.js';
import { servicePrincipalQueryRules } from '../odata/tables/application.js';

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
  properties: describedProperties(servicePrincipal),
};
