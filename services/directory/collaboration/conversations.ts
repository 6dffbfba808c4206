import { badRequest, denied } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import type { StoredObject } from '../store/objects.js';
import { areaContext, findUnified, listArea, readConversation, showItem, writeConversation } from './area.js';
import { ConversationStore } from './conversation-store.js';

interface Area {
  readonly group: StoredObject;
  readonly store: ConversationStore;
}

async function open(request: DirectoryRequest): Promise<Area> {
  const group = await findUnified(request);
  return { group, store: new ConversationStore(request, group) };
}

/** Conversations, threads and posts of a unified group. */
export function conversationRoutes(router: Router): void {
  router.on('GET', '/groups/{id}/conversations', readConversation, async (request) => {
    const { group, store } = await open(request);
    return listArea(request, areaContext(request, group, 'conversations'), await store.conversations());
  });
  router.on('POST', '/groups/{id}/conversations', writeConversation, createConversation);
  router.on('GET', '/groups/{id}/conversations/{conversation}', readConversation, async (request) => {
    const { group, store } = await open(request);
    return showItem(request, areaContext(request, group, 'conversations'), await store.conversation(request.parameter('conversation')));
  });
  router.on('DELETE', '/groups/{id}/conversations/{conversation}', writeConversation, async (request) => {
    const { store } = await open(request);
    await request.directory.sql.write(() => store.removeConversation(request.parameter('conversation')));
    return noContent;
  });
  for (const path of ['/groups/{id}/threads', '/groups/{id}/conversations/{conversation}/threads']) {
    router.on('GET', path, readConversation, listThreads);
    router.on('POST', path, writeConversation, createThread);
    router.on('GET', `${path}/{thread}`, readConversation, getThread);
    router.on('PATCH', `${path}/{thread}`, writeConversation, updateThread);
    router.on('DELETE', `${path}/{thread}`, writeConversation, async (request) => {
      const { store } = await open(request);
      await request.directory.sql.write(() => store.removeThread(request.parameter('thread')));
      return noContent;
    });
    router.on('POST', `${path}/{thread}/reply`, writeConversation, reply);
    router.on('GET', `${path}/{thread}/posts`, readConversation, listPosts);
    router.on('GET', `${path}/{thread}/posts/{post}`, readConversation, getPost);
    router.on('POST', `${path}/{thread}/posts/{post}/reply`, writeConversation, reply);
    router.on('POST', `${path}/{thread}/posts/{post}/forward`, writeConversation, forward);
  }
}

async function createConversation(request: DirectoryRequest): Promise<Reply> {
  const body = ownProperties(request.json());
  const threads = body['threads'];
  if (typeof body['topic'] !== 'string') throw badRequest('A conversation needs a topic.', 'topic');
  if (!Array.isArray(threads) || threads.length === 0) throw badRequest('A conversation needs a thread with a post.', 'threads');
  const { group, store } = await open(request);
  const topic = body['topic'];
  const made = await request.directory.sql.write(() => store.createConversation(topic, threads as { posts?: unknown[] }[]));
  return created(
    { '@odata.context': `${areaContext(request, group, 'conversations')}/$entity`, ...made },
    `${request.base}/groups/${group.id}/conversations/${made.id}`,
  );
}

/** The conversation of the path, when it names one. */
function conversationIn(request: DirectoryRequest): string | undefined {
  const key = request.key('conversation');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

async function listThreads(request: DirectoryRequest): Promise<Reply> {
  const { group, store } = await open(request);
  return listArea(request, areaContext(request, group, 'threads'), await store.threads(conversationIn(request)));
}

async function createThread(request: DirectoryRequest): Promise<Reply> {
  const body = ownProperties(request.json());
  const { topic, posts } = body;
  if (typeof topic !== 'string') throw badRequest('A thread needs a topic.', 'topic');
  if (!Array.isArray(posts) || posts.length === 0) throw badRequest('A thread needs a post.', 'posts');
  const { group, store } = await open(request);
  const id = await request.directory.sql.write(async () => {
    const conversation = conversationIn(request);
    if (conversation === undefined) return (await store.createConversation(topic, [{ topic, posts }])).threads[0]?.id ?? '';
    await store.conversation(conversation);
    return store.createThread(conversation, topic, posts);
  });
  const context = { '@odata.context': `${areaContext(request, group, 'threads')}/$entity` };
  return created({ ...context, ...(await store.thread(id)) }, `${request.base}/groups/${group.id}/threads/${id}`);
}

async function getThread(request: DirectoryRequest): Promise<Reply> {
  const { group, store } = await open(request);
  return showItem(request, areaContext(request, group, 'threads'), await store.thread(request.parameter('thread')));
}

async function updateThread(request: DirectoryRequest): Promise<Reply> {
  const body = ownProperties(request.json());
  const other = Object.keys(body).find((name) => name !== 'isLocked');
  if (other !== undefined) throw badRequest(`Property '${other}' of a thread is read-only: only isLocked can be changed.`, other);
  if (typeof body['isLocked'] !== 'boolean') throw badRequest('isLocked must be true or false.', 'isLocked');
  const { group, store } = await open(request);
  const locked = body['isLocked'];
  const thread = await request.directory.sql.write(() => store.lockThread(request.parameter('thread'), locked));
  if (request.preference('return') !== 'representation') return noContent;
  return ok({ '@odata.context': `${areaContext(request, group, 'threads')}/$entity`, ...thread });
}

async function listPosts(request: DirectoryRequest): Promise<Reply> {
  const { group, store } = await open(request);
  const thread = request.parameter('thread');
  return listArea(request, areaContext(request, group, `threads('${thread}')/posts`), await store.posts(thread));
}

async function getPost(request: DirectoryRequest): Promise<Reply> {
  const { group, store } = await open(request);
  const thread = request.parameter('thread');
  return showItem(request, areaContext(request, group, `threads('${thread}')/posts`), await store.post(thread, request.parameter('post')));
}

async function reply(request: DirectoryRequest): Promise<Reply> {
  const { post } = request.json();
  const { store } = await open(request);
  const thread = request.parameter('thread');
  await request.directory.sql.write(async () => {
    const conversation = await store.conversationOf(thread);
    if (request.key('post') !== '') await store.post(thread, request.parameter('post'));
    if ((await store.thread(thread))['isLocked'] === true) throw denied('The thread is locked: it takes no replies.');
    await store.addPost(thread, conversation, post);
  });
  return { status: 202 };
}

/** Forwarding sends mail to people: there is no mail system here, so it is checked and accepted. */
async function forward(request: DirectoryRequest): Promise<Reply> {
  const { toRecipients } = request.json();
  if (!Array.isArray(toRecipients) || toRecipients.length === 0) throw badRequest('toRecipients must name somebody.', 'toRecipients');
  const { store } = await open(request);
  await store.post(request.parameter('thread'), request.parameter('post'));
  return { status: 200 };
}
