import type { DirectoryModule } from '../directory-module.js';
import { addCrudRoutes } from './crud-routes.js';
import type { DeltaSource } from '../delta/delta-page.js';
import { answerDeltaQuery } from '../delta/delta-query.js';
import { canSeeMembers } from '../membership/hidden-memberships.js';
import {
  findVisibleGroup,
  groupListAccess,
  groupReadAccess,
  perUserActionAccess,
} from './group-access.js';
import { addLicenceRoutes } from './licences.js';
import { groupType } from './group-type.js';
import { validateGroupProperties } from './naming-policy.js';
import { seedLabels } from './sensitivity-labels.js';
import { addMemberRoutes } from './member-routes.js';
import { seedGroupReferences, seedGroups } from './seed.js';
import { addSettingRoutes } from './settings.js';
import { badRequest, noContent, type Reply } from '../http/answers.js';
import type { Router } from '../http/router.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body } from '../store/objects.js';
import { isUnified } from './group-kinds.js';
import { changeSettingsOfCaller } from './properties-outside-store.js';

const deltaSource: DeltaSource = {
  type: groupType,
  relations: ['members', 'owners'],
  mayFollow: canSeeMembers,
};

/** Groups: all operations and properties of the Directory rules. */
export const groupsModule: DirectoryModule = {
  types: [groupType],
  routes(router, directory) {
    addCrudRoutes(router);
    addLicenceRoutes(router, directory);
    router.on('GET', '/groups/delta', groupListAccess, (request) =>
      answerDeltaQuery(request, deltaSource),
    );
    addMemberRoutes(router);
    addSettingRoutes(router);
    addPerUserRoutes(router);
    router.on('POST', '/groups/{id}/validateProperties', groupReadAccess, validateGroupProperties);
  },
  async seed(directory, lists) {
    await seedLabels(directory, lists);
    await seedGroups(directory, lists);
  },
  seedReferences: seedGroupReferences,
};

const perUserActions: Readonly<Record<string, Body>> = {
  addFavorite: { isFavorite: true },
  removeFavorite: { isFavorite: false },
  subscribeByMail: { isSubscribedByMail: true },
  unsubscribeByMail: { isSubscribedByMail: false },
  resetUnseenCount: { unseenCount: 0, unseenConversationsCount: 0 },
};

/**
 * Adds the actions by which users change their own settings in a unified group. They answer 200
 * without a body, or 204 with `Prefer: return=minimal`.
 */
function addPerUserRoutes(router: Router): void {
  for (const [name, change] of Object.entries(perUserActions))
    router.on('POST', `/groups/{id}/${name}`, perUserActionAccess, (request) =>
      applyPerUserAction(request, change),
    );
}

async function applyPerUserAction(request: DirectoryRequest, change: Body): Promise<Reply> {
  const group = await findVisibleGroup(request);
  if (!isUnified(group.body)) throw badRequest('This is for unified groups only.');
  await request.directory.sql.transaction(() => changeSettingsOfCaller(request, group, change));
  return request.preference('return') === 'minimal' ? noContent : { status: 200 };
}
