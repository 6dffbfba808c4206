import { callerObject } from '../groups/group-access.js';
import { accessDenied, badRequest, itemNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addRecordOperations, type RecordParent } from '../kernel/record-operations.js';
import type { StoredRecord } from '../store/records.js';
import type { StoredObject } from '../store/objects.js';
import {
  groupRecordOptions,
  newChangeKey,
  conversationReadAccess,
  conversationWriteAccess,
  findUnifiedGroup,
  newMailboxId,
} from './group-resources.js';

/** The collection of posts. */
export const postCollection = 'post';

/** Adds list, read, reply and forward of a thread's posts. @param path the path of the thread. */
export function addPostRoutes(router: Router, path: string): void {
  addRecordOperations<ThreadParent>(router, {
    ...groupRecordOptions,
    read: conversationReadAccess,
    write: conversationWriteAccess,
    path: `${path}/posts`,
    collection: postCollection,
    context: ({ group, thread }) => `groups('${group.id}')/threads('${thread.id}')/posts`,
    findParent: findThread,
  });
  router.on('POST', `${path}/reply`, conversationWriteAccess, reply);
  router.on('POST', `${path}/posts/{post}/reply`, conversationWriteAccess, reply);
  router.on('POST', `${path}/posts/{post}/forward`, conversationWriteAccess, forward);
}

/** The parent of posts: a thread of a group. */
interface ThreadParent extends RecordParent {
  readonly group: StoredObject;
  readonly thread: StoredRecord;
}

async function findThread(request: DirectoryRequest): Promise<ThreadParent> {
  const group = await findUnifiedGroup(request);
  const thread = await requireRecord(request, 'thread', group.id, request.parameter('thread'));
  return { id: postsParentId(group, thread), group, thread };
}

/** The id under which a thread's posts are stored. */
export function postsParentId(group: StoredObject, thread: StoredRecord): string {
  return `${group.id}/${thread.id}`;
}

function reply(request: DirectoryRequest): Promise<Reply> {
  const { post } = request.json();
  return request.directory.sql.transaction(async () => {
    const parent = await findThread(request);
    if (request.key('post') !== '')
      await requireRecord(request, postCollection, parent.id, request.parameter('post'));
    if (parent.thread.body['isLocked'] === true)
      throw accessDenied('The thread is locked: replies are not possible.');
    await addPost(request, parent, post);
    return { status: 202 };
  });
}

/** Forwarding is checked and accepted, but no mail is sent: there is no mail system. */
async function forward(request: DirectoryRequest): Promise<Reply> {
  const { toRecipients } = request.json();
  if (!Array.isArray(toRecipients) || toRecipients.length === 0)
    throw badRequest('toRecipients must name at least one recipient.', 'toRecipients');
  await requireRecord(
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
  { id, group, thread }: ThreadParent,
  value: unknown,
): Promise<void> {
  const sender = await callerObject(request);
  await requireAllowedSender(request, group, sender);
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
  const { displayName, mail, userPrincipalName } = sender?.body ?? {};
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
  const { records } = request.directory;
  const sortKey = `${now}/${String((await records.list(postCollection, id)).length).padStart(9, '0')}`;
  await records.put(postCollection, id, newMailboxId(), post, sortKey);
}

/**
 * Checks the sender lists of a group: if there are accepted senders, only they may post, and
 * rejected senders may not. A group in a list stands for its members.
 */
async function requireAllowedSender(
  { directory: { links } }: DirectoryRequest,
  group: StoredObject,
  sender: StoredObject | undefined,
): Promise<void> {
  const isListed = async (list: 'acceptedSenders' | 'rejectedSenders'): Promise<boolean> => {
    for (const listed of await links.targets(group, list))
      if (
        listed.id === sender?.id ||
        (sender && listed.type === 'group' && (await links.isTransitiveMember(sender, listed)))
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
  { directory: { records } }: DirectoryRequest,
  thread: StoredRecord,
  group: StoredObject,
): Promise<void> {
  const parentId = postsParentId(group, thread);
  for (const post of await records.list(postCollection, parentId))
    await records.remove(postCollection, parentId, post.id);
}

/** @throws DirectoryError 404 for a record that does not exist. */
export async function requireRecord(
  { directory }: DirectoryRequest,
  collection: string,
  parent: string,
  id: string,
): Promise<StoredRecord> {
  const record = await directory.records.get(collection, parent, id);
  if (!record) throw itemNotFound();
  return record;
}

/** The present time of the directory, in the form of answers. */
export function currentInstant({ directory }: DirectoryRequest): string {
  return directory.clock.now().toISOString();
}
