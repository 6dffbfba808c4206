import { administrativeUnitsModule } from './administrative-units/module.js';
import { authenticationMethods } from './authentication-methods/module.js';
import { applicationsModule } from './applications/module.js';
import { collaboration } from './collaboration/module.js';
import { contactsModule } from './contacts/module.js';
import { devicesModule } from './devices/module.js';
import { domainsModule } from './domains/domain-names.js';
import { deletedItems } from './deleted-items/module.js';
import { directoryObjects } from './directory-objects/module.js';
import { dynamicMembership } from './dynamic-membership/module.js';
import { grantsModule } from './grants/module.js';
import { groups } from './groups/module.js';
import type { DirectoryModule } from './directory-module.js';
import { governanceModule } from './governance/module.js';
import { lifecycle } from './lifecycle/module.js';
import { membership } from './membership/module.js';
import { rolesModule } from './roles/module.js';
import { servicePrincipalsModule } from './service-principals/module.js';
import { tenantModule } from './tenant/module.js';
import { usersModule } from './users/module.js';

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
    groups,
    membership,
    deletedItems,
    directoryObjects,
    authenticationMethods,
    collaboration,
    dynamicMembership(),
    lifecycle,
    grantsModule,
    administrativeUnitsModule,
    rolesModule,
    governanceModule,
  ];
}
