import { badRequest, insufficientPrivileges, noContent, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { requireManaged, requireRoleOrOwnership } from './find-group.js';
import { checkProperties } from './group-rules.js';

/** A user's own settings in a unified group. */
export const perUserProperties = [
  'isFavorite',
  'isSubscribedByMail',
  'unseenConversationsCount',
  'unseenCount',
  'unseenMessagesCount',
] as const;

/** The items that store them: one per group and user. */
const perUserCollection = 'group-user';

/**
 * Changes properties outside the main store: only they may be in the body, only users may set them,
 * and delta queries never return them. Personal settings change for the caller.
 */
export async function changeOutsideStore(
  request: DirectoryRequest,
  group: StoredObject,
  values: Body,
): Promise<Reply> {
  const { directory, caller } = request;
  if (caller.kind === 'application')
    throw insufficientPrivileges('these properties are changed by signed-in users only');
  requireManaged(group);
  if ('isArchived' in values)
    throw badRequest(
      "Property 'isArchived' is read-only: a team is archived and unarchived by its own operations.",
      'isArchived',
    );
  checkProperties(directory, values);
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => isPerUser(name)));
  const shared = Object.fromEntries(Object.entries(values).filter(([name]) => !isPerUser(name)));
  if (Object.keys(shared).length > 0) {
    await requireRoleOrOwnership(request, group);
    await directory.objects.save(group, { ...group.body, ...shared }, { silent: true });
  }
  if (Object.keys(own).length > 0) await changeForCaller(request, group, own);
  return request.preference('return') === 'minimal'
    ? noContent
    : ok(request.withContext('groups/$entity', { id: group.id }));
}

/** Changes a user's own settings in a group. */
export async function changeForCaller(
  request: DirectoryRequest,
  group: StoredObject,
  own: Body,
): Promise<void> {
  const { items } = request.directory;
  const id = request.caller.objectId;
  const present = await items.get(perUserCollection, group.id, id);
  await items.put(perUserCollection, group.id, id, { ...present?.body, ...own });
}

/** The caller's own settings in a group; empty if they were never changed. */
export async function valuesOfCaller(
  directory: Directory,
  callerId: string,
  group: StoredObject,
): Promise<Body> {
  return (await directory.items.get(perUserCollection, group.id, callerId))?.body ?? {};
}

function isPerUser(name: string): boolean {
  return (perUserProperties as readonly string[]).includes(name);
}
