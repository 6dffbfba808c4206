import { badRequest } from '../http/errors.js';
import type { Reply } from '../http/reply.js';
import { noContent } from '../http/reply.js';
import type { Router } from '../http/router.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Body } from '../store/objects.js';
import { findGroup } from './find-group.js';
import { requireVisible, useGroup } from './group-access.js';
import { isUnified } from './kinds.js';
import { changeForCaller } from './outside-store.js';

const operations: Readonly<Record<string, Body>> = {
  addFavorite: { isFavorite: true },
  removeFavorite: { isFavorite: false },
  subscribeByMail: { isSubscribedByMail: true },
  unsubscribeByMail: { isSubscribedByMail: false },
  resetUnseenCount: { unseenCount: 0, unseenConversationsCount: 0 },
};

/** What a person does with a unified group for themselves: 200 without a body, or 204 with `Prefer: return=minimal`. */
export function perUserRoutes(router: Router): void {
  for (const [name, change] of Object.entries(operations))
    router.on('POST', `/groups/{id}/${name}`, useGroup, (request) => apply(request, change));
}

async function apply(request: DirectoryRequest, change: Body): Promise<Reply> {
  const group = await findGroup(request);
  requireVisible(request, group);
  if (!isUnified(group.body)) throw badRequest('This is for unified groups only.');
  await request.directory.sql.write(() => changeForCaller(request, group, change));
  return request.preference('return') === 'minimal' ? noContent : { status: 200 };
}
