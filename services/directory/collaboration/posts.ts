import { callerObject } from '../groups/group-access.js';
import { accessDenied, badRequest, itemNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addItemOperations, type ItemOwner } from '../kernel/item-operations.js';
import type { Item } from '../store/items.js';
import type { StoredObject } from '../store/objects.js';
import {
  groupItemOptions,
  newChangeKey,
  conversationReadAccess,
  conversationWriteAccess,
  findUnifiedGroup,
  newMailboxId,
} from './group-items.js';

/** The collection of posts. */
export const postCollection = 'post';

/** Adds list, read, reply and forward of a thread's posts. @param path the path of the thread. */
export function addPostRoutes(router: Router, path: string): void {
  addItemOperations<ThreadOwner>(router, {
    ...groupItemOptions,
    read: conversationReadAccess,
    write: conversationWriteAccess,
    path: `${path}/posts`,
    collection: postCollection,
    context: ({ group, thread }) => `groups('${group.id}')/threads('${thread.id}')/posts`,
    owner: findThread,
  });
  router.on('POST', `${path}/reply`, conversationWriteAccess, reply);
  router.on('POST', `${path}/posts/{post}/reply`, conversationWriteAccess, reply);
  router.on('POST', `${path}/posts/{post}/forward`, conversationWriteAccess, forward);
}

/** The owner of posts: a thread of a group. */
interface ThreadOwner extends ItemOwner {
  readonly group: StoredObject;
  readonly thread: Item;
}

async function findThread(request: DirectoryRequest): Promise<ThreadOwner> {
  const group = await findUnifiedGroup(request);
  const thread = await requireItem(request, 'thread', group.id, request.parameter('thread'));
  return { id: ownerOfPosts(group, thread), group, thread };
}

/** The id under which a thread's posts are stored. */
export function ownerOfPosts(group: StoredObject, thread: Item): string {
  return `${group.id}/${thread.id}`;
}

function reply(request: DirectoryRequest): Promise<Reply> {
  const { post } = request.json();
  return request.directory.sql.transaction(async () => {
    const owner = await findThread(request);
    if (request.key('post') !== '')
      await requireItem(request, postCollection, owner.id, request.parameter('post'));
    if (owner.thread.body['isLocked'] === true)
      throw accessDenied('The thread is locked: replies are not possible.');
    await addPost(request, owner, post);
    return { status: 202 };
  });
}

/** Forwarding is checked and accepted, but no mail is sent: there is no mail system. */
async function forward(request: DirectoryRequest): Promise<Reply> {
  const { toRecipients } = request.json();
  if (!Array.isArray(toRecipients) || toRecipients.length === 0)
    throw badRequest('toRecipients must name at least one recipient.', 'toRecipients');
  await requireItem(
    request,
    postCollection,
    (await findThread(request)).id,
    request.parameter('post'),
  );
  return { status: 200 };
}

/**
 * Adds a post to a thread, unless the sender lists forbid it.
 *
 * @throws DirectoryError 403, or 400 for a malformed post.
 */
export async function addPost(
  request: DirectoryRequest,
  { id, group, thread }: ThreadOwner,
  value: unknown,
): Promise<void> {
  const self = await callerObject(request);
  await requireAllowedSender(request, group, self);
  const { body, newParticipants } = (value ?? {}) as {
    body?: { contentType?: unknown; content?: unknown };
    newParticipants?: unknown;
  };
  if (typeof body !== 'object' || body === null || typeof body.content !== 'string')
    throw badRequest('A post needs a body with contentType and content.', 'body');
  const contentType = String(body.contentType ?? 'text').toLowerCase();
  if (contentType !== 'text' && contentType !== 'html')
    throw badRequest("contentType must be 'text' or 'html'.", 'body');
  const now = currentInstant(request);
  const { displayName, mail, userPrincipalName } = self?.body ?? {};
  const from = {
    emailAddress: {
      name: displayName ?? request.caller.name ?? null,
      address: mail ?? userPrincipalName ?? null,
    },
  };
  const post = {
    createdDateTime: now,
    lastModifiedDateTime: now,
    changeKey: newChangeKey(),
    categories: [],
    receivedDateTime: now,
    hasAttachments: false,
    body: { contentType, content: body.content },
    from,
    sender: from,
    conversationThreadId: thread.id,
    conversationId: thread.body['conversationId'],
    newParticipants: Array.isArray(newParticipants) ? newParticipants : [],
  };
  const { items } = request.directory;
  const sortKey = `${now}/${String((await items.list(postCollection, id)).length).padStart(9, '0')}`;
  await items.put(postCollection, id, newMailboxId(), post, sortKey);
}

/**
 * Checks the sender lists of a group: if there are accepted senders, only they may post, and
 * rejected senders may not. A group in a list stands for its members.
 */
async function requireAllowedSender(
  { directory: { links } }: DirectoryRequest,
  group: StoredObject,
  self: StoredObject | undefined,
): Promise<void> {
  const isListed = async (list: 'acceptedSenders' | 'rejectedSenders'): Promise<boolean> => {
    for (const sender of await links.targets(group, list))
      if (
        sender.id === self?.id ||
        (self && sender.type === 'group' && (await links.isInside(sender, self)))
      )
        return true;
    return false;
  };
  const isAccepted =
    (await links.count(group, 'acceptedSenders')) === 0 || (await isListed('acceptedSenders'));
  if (!isAccepted || (await isListed('rejectedSenders')))
    throw accessDenied('The sender is not allowed to post to this group.');
}

/** Removes all posts of a thread. */
export async function removePosts(
  { directory: { items } }: DirectoryRequest,
  thread: Item,
  group: StoredObject,
): Promise<void> {
  const owner = ownerOfPosts(group, thread);
  for (const post of await items.list(postCollection, owner))
    await items.remove(postCollection, owner, post.id);
}

/** @throws DirectoryError 404 for an item that does not exist. */
export async function requireItem(
  { directory }: DirectoryRequest,
  collection: string,
  parent: string,
  id: string,
): Promise<Item> {
  const item = await directory.items.get(collection, parent, id);
  if (!item) throw itemNotFound();
  return item;
}

/** The present time of the directory, in the form of answers. */
export function currentInstant({ directory }: DirectoryRequest): string {
  return directory.clock.now().toISOString();
}
