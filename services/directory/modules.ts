import { administrativeUnitsModule } from './administrative-units/administrative-units-module.js';
import { authenticationMethodsModule } from './authentication-methods/authentication-methods-module.js';
import { applicationsModule } from './applications/applications-module.js';
import { collaborationModule } from './collaboration/collaboration-module.js';
import { contactsModule } from './contacts/contacts-module.js';
import { devicesModule } from './devices/devices-module.js';
import { domainsModule } from './domains/domains-module.js';
import { deletedItemsModule } from './deleted-items/deleted-items-module.js';
import { directoryObjectsModule } from './directory-objects/directory-objects-module.js';
import { createDynamicMembershipModule } from './dynamic-membership/dynamic-membership-module.js';
import { grantsModule } from './grants/grants-module.js';
import { groupsModule } from './groups/groups-module.js';
import type { DirectoryModule } from './directory-module.js';
import { governanceModule } from './governance/governance-module.js';
import { lifecycleModule } from './lifecycle/lifecycle-module.js';
import { membershipModule } from './membership/membership-module.js';
import { rolesModule } from './roles/roles-module.js';
import { servicePrincipalsModule } from './service-principals/service-principals-module.js';
import { tenantModule } from './tenant/tenant-module.js';
import { usersModule } from './users/users-module.js';

/** The modules of the directory, in the order in which their seed lists are applied. */
export function createModules(): readonly DirectoryModule[] {
  return [
    domainsModule,
    tenantModule,
    usersModule,
    devicesModule,
    contactsModule,
    applicationsModule,
    servicePrincipalsModule,
    groupsModule,
    membershipModule,
    deletedItemsModule,
    directoryObjectsModule,
    authenticationMethodsModule,
    collaborationModule,
    createDynamicMembershipModule(),
    lifecycleModule,
    grantsModule,
    administrativeUnitsModule,
    rolesModule,
    governanceModule,
  ];
}
