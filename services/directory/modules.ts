import { contactsModule } from './contacts/index.js';
import { devicesModule } from './devices/index.js';
import { domainsModule } from './domains/index.js';
import { deletedItems } from './deleted-items/index.js';
import { directoryObjects } from './directory-objects/index.js';
import { groups } from './groups/index.js';
import type { DirectoryModule } from './kernel/directory.js';
import { membership } from './membership/index.js';
import { usersModule } from './users/index.js';

/** The parts of the directory, in the order in which seed lists are applied. */
export const modules: readonly DirectoryModule[] = [
  domainsModule,
  usersModule,
  devicesModule,
  contactsModule,
  groups,
  membership,
  deletedItems,
  directoryObjects,
];
