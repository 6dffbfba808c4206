import { badRequest, insufficientPrivileges, noContent, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { requireManagedByApi, requireRoleOrOwnership } from './group-access.js';
import { checkProperties } from './group-rules.js';

/** A user's own settings in a unified group. */
export const perUserProperties = [
  'isFavorite',
  'isSubscribedByMail',
  'unseenConversationsCount',
  'unseenCount',
  'unseenMessagesCount',
] as const;

/** The collection of records with these settings: one record per group and user. */
const perUserCollection = 'group-user';

/**
 * Changes properties outside the main store. The body may contain no others, only signed-in users
 * may set them, and delta queries never return them. Personal settings change for the caller.
 */
export async function changePropertiesOutsideStore(
  request: DirectoryRequest,
  group: StoredObject,
  values: Body,
): Promise<Reply> {
  const { directory, caller } = request;
  if (caller.kind === 'application')
    throw insufficientPrivileges('these properties are changed by signed-in users only');
  requireManagedByApi(group);
  if ('isArchived' in values)
    throw badRequest(
      "Property 'isArchived' is read-only: a team is archived and unarchived by its own operations.",
      'isArchived',
    );
  checkProperties(directory, values);
  const personalSettings = Object.fromEntries(
    Object.entries(values).filter(([name]) => isPerUser(name)),
  );
  const sharedProperties = Object.fromEntries(
    Object.entries(values).filter(([name]) => !isPerUser(name)),
  );
  if (Object.keys(sharedProperties).length > 0) {
    await requireRoleOrOwnership(request, group);
    await directory.objects.save(group, { ...group.body, ...sharedProperties }, { silent: true });
  }
  if (Object.keys(personalSettings).length > 0)
    await changeSettingsOfCaller(request, group, personalSettings);
  return request.preference('return') === 'minimal'
    ? noContent
    : ok(request.withContext('groups/$entity', { id: group.id }));
}

/** Changes a user's own settings in a group. */
export async function changeSettingsOfCaller(
  request: DirectoryRequest,
  group: StoredObject,
  settings: Body,
): Promise<void> {
  const { records } = request.directory;
  const id = request.caller.objectId;
  const current = await records.get(perUserCollection, group.id, id);
  await records.put(perUserCollection, group.id, id, { ...current?.body, ...settings });
}

/** The caller's own settings in a group; empty if they were never changed. */
export async function settingsOfCaller(
  directory: Directory,
  callerId: string,
  group: StoredObject,
): Promise<Body> {
  return (await directory.records.get(perUserCollection, group.id, callerId))?.body ?? {};
}

function isPerUser(name: string): boolean {
  return (perUserProperties as readonly string[]).includes(name);
}
