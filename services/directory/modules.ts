import { administrativeUnitsModule } from './administrative-units/index.js';
import { authenticationMethods } from './authentication-methods/index.js';
import { applicationsModule } from './applications/index.js';
import { collaboration } from './collaboration/index.js';
import { contactsModule } from './contacts/index.js';
import { devicesModule } from './devices/index.js';
import { domainsModule } from './domains/index.js';
import { deletedItems } from './deleted-items/index.js';
import { directoryObjects } from './directory-objects/index.js';
import { dynamicMembership } from './dynamic-membership/index.js';
import { grantsModule } from './grants/index.js';
import { groups } from './groups/index.js';
import type { DirectoryModule } from './kernel/directory.js';
import { lifecycle } from './lifecycle/index.js';
import { membership } from './membership/index.js';
import { rolesModule } from './roles/index.js';
import { servicePrincipalsModule } from './service-principals/index.js';
import { usersModule } from './users/index.js';

/** The parts of the directory, in the order in which seed lists are applied. */
export function createModules(): readonly DirectoryModule[] {
  return [
    domainsModule,
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
  ];
}
