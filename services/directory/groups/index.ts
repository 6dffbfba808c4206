import type { DirectoryModule } from '../kernel/directory.js';
import { crudRoutes } from './crud-routes.js';
import { readGroup } from './group-access.js';
import { groupType } from './group-type.js';
import { memberRoutes } from './member-routes.js';
import { linkSeededGroups, seedGroups } from './seed.js';
import { senderRoutes } from './sender-routes.js';
import { settingRoutes } from './settings.js';
import { validateGroupProperties } from './validate-properties.js';

/** Groups: every row of the specification's tables. */
export const groups: DirectoryModule = {
  types: [groupType],
  routes(router) {
    crudRoutes(router);
    memberRoutes(router);
    senderRoutes(router);
    settingRoutes(router);
    router.on('POST', '/groups/{id}/validateProperties', readGroup, validateGroupProperties);
  },
  seed: seedGroups,
  linkSeeded: linkSeededGroups,
};
