import { isObject } from '../../../core/values/is-object.js';
import { callerObject } from '../groups/find-group.js';
import { badRequest, accessDenied, itemNotFound, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import {
  itemOperations,
  type ItemOwner,
  type NewItem,
  presentItem,
} from '../kernel/item-operations.js';
import { requireKnown } from '../kernel/write-body.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  area,
  changeKey,
  findUnified,
  mailboxId,
  previewOf,
  conversationReadAccess,
  conversationWriteAccess,
} from './area.js';

const [conversations, threads, posts] = ['conversation', 'thread', 'post'] as const;
const mailbox = { ...area, read: conversationReadAccess, write: conversationWriteAccess };
const conversationPath = '/groups/{id}/conversations';
const threadPaths = ['/groups/{id}/threads', `${conversationPath}/{conversation}/threads`];

/** Conversations of a unified group; conversations contain threads, threads contain posts. */
export function conversationRoutes(router: Router): void {
  itemOperations<StoredObject>(router, {
    ...mailbox,
    path: conversationPath,
    collection: conversations,
    present: presentConversation,
    create: async (request, { topic, threads: threadBodies }, group) => {
      if (typeof topic !== 'string') throw badRequest('A conversation needs a topic.', 'topic');
      if (
        !Array.isArray(threadBodies) ||
        threadBodies.length === 0 ||
        !threadBodies.every(isObject)
      )
        throw badRequest('A conversation needs a thread with a post.', 'threads');
      return createConversation(request, group, topic, threadBodies as Body[]);
    },
    remove: async (request, { id }, group) => {
      for (const thread of await threadsOf(request, group, id)) {
        await request.directory.items.remove(threads, group.id, thread.id);
        await removePosts(request, thread, group);
      }
    },
  });
  itemOperations<StoredObject>(router, {
    ...mailbox,
    path: threadPaths,
    collection: threads,
    list: listThreads,
    present: presentThread,
    create: startThread,
    change: lockThread,
    remove: removePosts,
  });
  for (const path of threadPaths.map((each) => `${each}/{thread}`)) {
    itemOperations<ThreadOwner>(router, {
      ...mailbox,
      path: `${path}/posts`,
      collection: posts,
      context: ({ group, thread }) => `groups('${group.id}')/threads('${thread.id}')/posts`,
      owner: findThread,
    });
    router.on('POST', `${path}/reply`, conversationWriteAccess, reply);
    router.on('POST', `${path}/posts/{post}/reply`, conversationWriteAccess, reply);
    router.on('POST', `${path}/posts/{post}/forward`, conversationWriteAccess, forward);
  }
}

async function createConversation(
  request: DirectoryRequest,
  group: StoredObject,
  topic: string,
  threadBodies: readonly Body[],
): Promise<NewItem> {
  const conversation = await request.directory.items.put(
    conversations,
    group.id,
    mailboxId(),
    { topic },
    nowOf(request),
  );
  const created: Body[] = [];
  for (const { topic: own, posts: first } of threadBodies) {
    if (typeof (own ?? topic) !== 'string')
      throw badRequest('The topic of a thread is a text.', 'topic');
    if (!Array.isArray(first ?? [])) throw badRequest("'posts' is a list.", 'posts');
    const { id } = await createThread(
      request,
      group,
      conversation.id,
      String(own ?? topic),
      (first ?? []) as Body[],
    );
    created.push({ id });
  }
  return { ...conversation, oneTime: { threads: created } };
}

async function presentConversation(
  { id, body }: Item,
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body> {
  const all = await Promise.all(
    (await threadsOf(request, group, id)).map((thread) => presentThread(thread, request, group)),
  );
  const delivered = all.map((thread) => String(thread['lastDeliveredDateTime'])).sort();
  return {
    id,
    topic: body['topic'],
    hasAttachments: false,
    lastDeliveredDateTime: delivered.at(-1) ?? nowOf(request),
    uniqueSenders: [...new Set(all.flatMap((thread) => thread['uniqueSenders'] as string[]))],
    preview: all.at(-1)?.['preview'] ?? '',
  };
}

/** The threads of the path's conversation, or of the whole group. */
async function listThreads(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<readonly Item[]> {
  const conversation = conversationIn(request);
  if (conversation !== undefined) await requireItem(request, conversations, group.id, conversation);
  return threadsOf(request, group, conversation);
}

async function threadsOf(
  { directory }: DirectoryRequest,
  group: StoredObject,
  conversation?: string,
): Promise<readonly Item[]> {
  const all = await directory.items.list(threads, group.id);
  return all.filter(
    ({ body }) => conversation === undefined || body['conversationId'] === conversation,
  );
}

/** The conversation of the path, if it names one. */
function conversationIn(request: DirectoryRequest): string | undefined {
  const key = request.key('conversation');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

async function startThread(
  request: DirectoryRequest,
  { topic, posts: postBodies }: Body,
  group: StoredObject,
): Promise<Item> {
  if (typeof topic !== 'string') throw badRequest('A thread needs a topic.', 'topic');
  if (!Array.isArray(postBodies) || postBodies.length === 0)
    throw badRequest('A thread needs a post.', 'posts');
  const { items } = request.directory;
  const current = conversationIn(request);
  const conversation =
    current === undefined
      ? await items.put(conversations, group.id, mailboxId(), { topic }, nowOf(request))
      : await requireItem(request, conversations, group.id, current);
  return createThread(request, group, conversation.id, topic, postBodies);
}

async function createThread(
  request: DirectoryRequest,
  group: StoredObject,
  conversationId: string,
  topic: string,
  postBodies: readonly unknown[],
): Promise<Item> {
  const body = { topic, conversationId, isLocked: false };
  const thread = await request.directory.items.put(
    threads,
    group.id,
    mailboxId(),
    body,
    nowOf(request),
  );
  for (const post of postBodies)
    await addPost(request, { id: postsOf(group, thread), group, thread }, post);
  return thread;
}

async function presentThread(
  thread: Item,
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body> {
  const all = (await request.directory.items.list(posts, postsOf(group, thread))).map(presentItem);
  const last = all.at(-1);
  const names = all.map(
    (post) => (post['from'] as { emailAddress: { name: string | null } }).emailAddress.name,
  );
  return {
    id: thread.id,
    topic: thread.body['topic'],
    toRecipients: [
      { emailAddress: { name: group.body['displayName'], address: group.body['mail'] ?? null } },
    ],
    ccRecipients: [],
    hasAttachments: false,
    lastDeliveredDateTime: last?.['receivedDateTime'] ?? nowOf(request),
    uniqueSenders: [...new Set(names.filter((name) => name !== null))],
    preview: last ? previewOf(last) : '',
    isLocked: thread.body['isLocked'],
  };
}

async function lockThread(
  request: DirectoryRequest,
  { id, body }: Item,
  values: Body,
  group: StoredObject,
): Promise<Item | undefined> {
  requireKnown(values, ['isLocked'], 'a thread');
  const { isLocked } = values;
  if (typeof isLocked !== 'boolean')
    throw badRequest('isLocked must be true or false.', 'isLocked');
  const locked = await request.directory.items.put(
    threads,
    group.id,
    id,
    { ...body, isLocked },
    nowOf(request),
  );
  return request.preference('return') === 'representation' ? locked : undefined;
}

async function removePosts(
  { directory: { items } }: DirectoryRequest,
  thread: Item,
  group: StoredObject,
): Promise<void> {
  const owner = postsOf(group, thread);
  for (const post of await items.list(posts, owner)) await items.remove(posts, owner, post.id);
}

/** The parent of posts. */
interface ThreadOwner extends ItemOwner {
  readonly group: StoredObject;
  readonly thread: Item;
}

async function findThread(request: DirectoryRequest): Promise<ThreadOwner> {
  const group = await findUnified(request);
  const thread = await requireItem(request, threads, group.id, request.parameter('thread'));
  return { id: postsOf(group, thread), group, thread };
}

function postsOf(group: StoredObject, thread: Item): string {
  return `${group.id}/${thread.id}`;
}

function reply(request: DirectoryRequest): Promise<Reply> {
  const { post } = request.json();
  return request.directory.sql.write(async () => {
    const owner = await findThread(request);
    if (request.key('post') !== '')
      await requireItem(request, posts, owner.id, request.parameter('post'));
    if (owner.thread.body['isLocked'] === true)
      throw accessDenied('The thread is locked: it takes no replies.');
    await addPost(request, owner, post);
    return { status: 202 };
  });
}

/** Forwarding is checked and accepted, but no mail is sent: there is no mail system. */
async function forward(request: DirectoryRequest): Promise<Reply> {
  const { toRecipients } = request.json();
  if (!Array.isArray(toRecipients) || toRecipients.length === 0)
    throw badRequest('toRecipients must name at least one recipient.', 'toRecipients');
  await requireItem(request, posts, (await findThread(request)).id, request.parameter('post'));
  return { status: 200 };
}

/**
 * Adds a post to a thread, unless the sender lists forbid it. @throws DirectoryError 403, or 400
 * for a malformed post.
 */
async function addPost(
  request: DirectoryRequest,
  { id, group, thread }: ThreadOwner,
  value: unknown,
): Promise<void> {
  const self = await callerObject(request);
  await requireSender(request, group, self);
  const { body, newParticipants } = (value ?? {}) as {
    body?: { contentType?: unknown; content?: unknown };
    newParticipants?: unknown;
  };
  if (typeof body !== 'object' || body === null || typeof body.content !== 'string')
    throw badRequest('A post needs a body with contentType and content.', 'body');
  const contentType = String(body.contentType ?? 'text').toLowerCase();
  if (contentType !== 'text' && contentType !== 'html')
    throw badRequest("contentType must be 'text' or 'html'.", 'body');
  const now = nowOf(request);
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
    changeKey: changeKey(),
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
  const place = `${now}/${String((await items.list(posts, id)).length).padStart(9, '0')}`;
  await items.put(posts, id, mailboxId(), post, place);
}

/**
 * With accepted senders, only they may post; rejected senders may not. Groups in the lists stand
 * for their members.
 */
async function requireSender(
  { directory: { links } }: DirectoryRequest,
  group: StoredObject,
  self: StoredObject | undefined,
): Promise<void> {
  const listed = async (list: 'acceptedSenders' | 'rejectedSenders'): Promise<boolean> => {
    for (const sender of await links.targets(group, list))
      if (
        sender.id === self?.id ||
        (self && sender.type === 'group' && (await links.isInside(sender, self)))
      )
        return true;
    return false;
  };
  const accepted =
    (await links.count(group, 'acceptedSenders')) === 0 || (await listed('acceptedSenders'));
  if (!accepted || (await listed('rejectedSenders')))
    throw accessDenied('The sender is not allowed to post to this group.');
}

async function requireItem(
  { directory }: DirectoryRequest,
  collection: string,
  parent: string,
  id: string,
): Promise<Item> {
  const item = await directory.items.get(collection, parent, id);
  if (!item) throw itemNotFound();
  return item;
}

function nowOf({ directory }: DirectoryRequest): string {
  return directory.clock.now().toISOString();
}
