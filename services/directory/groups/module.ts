import type { DirectoryModule } from '../directory-module.js';
import { crudRoutes } from './crud-routes.js';
import { delta } from '../delta/delta.js';
import type { DeltaSource } from '../delta/delta-source.js';
import { seesMembers } from '../membership/hidden-groups.js';
import { listGroups, readGroup } from './group-access.js';
import { licenceRoutes } from './licences.js';
import { groupType } from './group-type.js';
import { seedLabels } from './labels.js';
import { memberRoutes } from './member-routes.js';
import { perUserRoutes } from './per-user.js';
import { linkSeededGroups, seedGroups } from './seed.js';
import { senderRoutes } from './sender-routes.js';
import { settingRoutes } from './settings.js';
import { validateGroupProperties } from './validate-properties.js';

const source: DeltaSource = {
  type: groupType,
  relations: ['members', 'owners'],
  mayFollow: seesMembers,
};

/** Groups: every row of the specification's tables. */
export const groups: DirectoryModule = {
  types: [groupType],
  routes(router, directory) {
    crudRoutes(router);
    licenceRoutes(router, directory);
    router.on('GET', '/groups/delta', listGroups, (request) => delta(request, source));
    memberRoutes(router);
    senderRoutes(router);
    settingRoutes(router);
    perUserRoutes(router);
    router.on('POST', '/groups/{id}/validateProperties', readGroup, validateGroupProperties);
  },
  async seed(directory, section) {
    await seedLabels(directory, section);
    await seedGroups(directory, section);
  },
  linkSeeded: linkSeededGroups,
};
