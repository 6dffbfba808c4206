import { isObject } from '../../../core/values/is-object.js';
import { badRequest } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { addRecordOperations, type NewRecord, presentRecord } from '../kernel/record-operations.js';
import { requireKnownProperties } from '../kernel/body-properties.js';
import type { StoredRecord } from '../store/records.js';
import type { Body, StoredObject } from '../store/objects.js';
import {
  groupRecordOptions,
  conversationReadAccess,
  conversationWriteAccess,
  newMailboxId,
  previewOf,
  requireContentWriter,
} from './group-resources.js';
import {
  addPost,
  currentInstant,
  postsParentId,
  addPostRoutes,
  postCollection,
  removePosts,
  requireRecord,
} from './posts.js';

const [conversationCollection, threadCollection] = ['conversation', 'thread'] as const;
const mailboxOptions = {
  ...groupRecordOptions,
  read: conversationReadAccess,
  write: conversationWriteAccess,
};
const conversationPath = '/groups/{id}/conversations';
const threadPaths = ['/groups/{id}/threads', `${conversationPath}/{conversation}/threads`];

/** Adds the operations of a unified group's conversations, which contain threads with posts. */
export function addConversationRoutes(router: Router): void {
  addRecordOperations<StoredObject>(router, {
    ...mailboxOptions,
    path: conversationPath,
    collection: conversationCollection,
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
    onRemove: async (request, { id }, group) => {
      await requireContentWriter(request, group);
      for (const thread of await threadsOf(request, group, id)) {
        await request.directory.records.remove(threadCollection, group.id, thread.id);
        await removePosts(request, thread, group);
      }
    },
  });
  addRecordOperations<StoredObject>(router, {
    ...mailboxOptions,
    path: threadPaths,
    collection: threadCollection,
    list: listThreads,
    present: presentThread,
    create: startThread,
    change: lockThread,
    onRemove: async (request, thread, group) => {
      await requireContentWriter(request, group);
      await removePosts(request, thread, group);
    },
  });
  for (const path of threadPaths) addPostRoutes(router, `${path}/{thread}`);
}

async function createConversation(
  request: DirectoryRequest,
  group: StoredObject,
  topic: string,
  threadBodies: readonly Body[],
): Promise<NewRecord> {
  const conversation = await request.directory.records.put(
    conversationCollection,
    group.id,
    newMailboxId(),
    { topic },
    currentInstant(request),
  );
  const createdThreads: Body[] = [];
  for (const { topic: threadTopic, posts: threadPosts } of threadBodies) {
    if (typeof (threadTopic ?? topic) !== 'string')
      throw badRequest('The topic of a thread must be a string.', 'topic');
    if (!Array.isArray(threadPosts ?? [])) throw badRequest("'posts' must be a list.", 'posts');
    const { id } = await createThread(
      request,
      group,
      conversation.id,
      String(threadTopic ?? topic),
      (threadPosts ?? []) as Body[],
    );
    createdThreads.push({ id });
  }
  return { ...conversation, onlyInAnswer: { threads: createdThreads } };
}

async function presentConversation(
  { id, body }: StoredRecord,
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body> {
  const threadViews = await Promise.all(
    (await threadsOf(request, group, id)).map((thread) => presentThread(thread, request, group)),
  );
  const delivered = threadViews.map((thread) => String(thread['lastDeliveredDateTime'])).sort();
  return {
    id,
    topic: body['topic'],
    hasAttachments: false,
    lastDeliveredDateTime: delivered.at(-1) ?? currentInstant(request),
    uniqueSenders: [
      ...new Set(threadViews.flatMap((thread) => thread['uniqueSenders'] as string[])),
    ],
    preview: threadViews.at(-1)?.['preview'] ?? '',
  };
}

/** The threads of the path's conversation, or of the whole group. */
async function listThreads(
  request: DirectoryRequest,
  group: StoredObject,
): Promise<readonly StoredRecord[]> {
  const conversation = conversationIdOf(request);
  if (conversation !== undefined)
    await requireRecord(request, conversationCollection, group.id, conversation);
  return threadsOf(request, group, conversation);
}

async function threadsOf(
  { directory }: DirectoryRequest,
  group: StoredObject,
  conversation?: string,
): Promise<readonly StoredRecord[]> {
  const threadRecords = await directory.records.list(threadCollection, group.id);
  return threadRecords.filter(
    ({ body }) => conversation === undefined || body['conversationId'] === conversation,
  );
}

/** The conversation that the path names, if it names one. */
function conversationIdOf(request: DirectoryRequest): string | undefined {
  const key = request.key('conversation');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

async function startThread(
  request: DirectoryRequest,
  { topic, posts: postBodies }: Body,
  group: StoredObject,
): Promise<StoredRecord> {
  if (typeof topic !== 'string') throw badRequest('A thread needs a topic.', 'topic');
  if (!Array.isArray(postBodies) || postBodies.length === 0)
    throw badRequest('A thread needs a post.', 'posts');
  const { records } = request.directory;
  const current = conversationIdOf(request);
  const conversation =
    current === undefined
      ? await records.put(
          conversationCollection,
          group.id,
          newMailboxId(),
          { topic },
          currentInstant(request),
        )
      : await requireRecord(request, conversationCollection, group.id, current);
  return createThread(request, group, conversation.id, topic, postBodies);
}

async function createThread(
  request: DirectoryRequest,
  group: StoredObject,
  conversationId: string,
  topic: string,
  postBodies: readonly unknown[],
): Promise<StoredRecord> {
  const body = { topic, conversationId, isLocked: false };
  const thread = await request.directory.records.put(
    threadCollection,
    group.id,
    newMailboxId(),
    body,
    currentInstant(request),
  );
  for (const post of postBodies)
    await addPost(request, { id: postsParentId(group, thread), group, thread }, post);
  return thread;
}

async function presentThread(
  thread: StoredRecord,
  request: DirectoryRequest,
  group: StoredObject,
): Promise<Body> {
  const postViews = (
    await request.directory.records.list(postCollection, postsParentId(group, thread))
  ).map(presentRecord);
  const latestPost = postViews.at(-1);
  const senderNames = postViews.map(
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
    lastDeliveredDateTime: latestPost?.['receivedDateTime'] ?? currentInstant(request),
    uniqueSenders: [...new Set(senderNames.filter((name) => name !== null))],
    preview: latestPost ? previewOf(latestPost) : '',
    isLocked: thread.body['isLocked'],
  };
}

async function lockThread(
  request: DirectoryRequest,
  { id, body }: StoredRecord,
  values: Body,
  group: StoredObject,
): Promise<StoredRecord | undefined> {
  await requireContentWriter(request, group);
  requireKnownProperties(values, ['isLocked'], 'a thread');
  const { isLocked } = values;
  if (typeof isLocked !== 'boolean')
    throw badRequest('isLocked must be true or false.', 'isLocked');
  const locked = await request.directory.records.put(
    threadCollection,
    group.id,
    id,
    { ...body, isLocked },
    currentInstant(request),
  );
  return request.preference('return') === 'representation' ? locked : undefined;
}
