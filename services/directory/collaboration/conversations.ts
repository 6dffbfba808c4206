import { badRequest, denied } from '../http/errors.js';
import { created, noContent, ok, type Reply } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import { ownProperties } from '../kernel/references.js';
import type { StoredObject } from '../store/objects.js';
import { areaEntity, areaOf, findUnified, listArea, readConversation, serveList, serveOne, writeConversation } from './area.js';
import { ConversationStore } from './conversation-store.js';

const access = { access: readConversation };

/** Conversations, threads and posts of a unified group. */
export function conversationRoutes(router: Router): void {
  const list = '/groups/{id}/conversations';
  serveList(router, [list], 'conversations', (request, group) => new ConversationStore(request, group).conversations(), access);
  serveOne(
    router,
    [`${list}/{conversation}`],
    'conversations',
    (request, group) => new ConversationStore(request, group).conversation(request.parameter('conversation')),
    access,
  );
  router.on('POST', list, writeConversation, createConversation);
  router.on('DELETE', `${list}/{conversation}`, writeConversation, (request) =>
    change(request, (store) => store.removeConversation(request.parameter('conversation'))),
  );
  const threads = ['/groups/{id}/threads', `${list}/{conversation}/threads`];
  const thread = threads.map((path) => `${path}/{thread}`);
  serveList(router, threads, 'threads', (request, group) => new ConversationStore(request, group).threads(conversationIn(request)), access);
  serveOne(
    router,
    thread,
    'threads',
    (request, group) => new ConversationStore(request, group).thread(request.parameter('thread')),
    access,
  );
  for (const path of threads) router.on('POST', path, writeConversation, createThread);
  for (const path of thread) {
    router.on('PATCH', path, writeConversation, updateThread);
    router.on('DELETE', path, writeConversation, (request) => change(request, (store) => store.removeThread(request.parameter('thread'))));
    router.on('POST', `${path}/reply`, writeConversation, reply);
    router.on('GET', `${path}/posts`, readConversation, async (request) => {
      const group = await findUnified(request);
      const id = request.parameter('thread');
      return listArea(request, areaOf(group, `threads('${id}')/posts`), await new ConversationStore(request, group).posts(id));
    });
    router.on('GET', `${path}/posts/{post}`, readConversation, async (request) => {
      const group = await findUnified(request);
      const id = request.parameter('thread');
      const post = await new ConversationStore(request, group).post(id, request.parameter('post'));
      return ok(areaEntity(request, group, `threads('${id}')/posts`, post));
    });
    router.on('POST', `${path}/posts/{post}/reply`, writeConversation, reply);
    router.on('POST', `${path}/posts/{post}/forward`, writeConversation, forward);
  }
}

/** Changes a group's conversations in one transaction. */
async function change(
  request: DirectoryRequest,
  run: (store: ConversationStore, group: StoredObject) => Promise<Reply | void>,
): Promise<Reply> {
  const group = await findUnified(request);
  return (await request.directory.sql.write(() => run(new ConversationStore(request, group), group))) ?? noContent;
}

function createConversation(request: DirectoryRequest): Promise<Reply> {
  const { topic, threads } = ownProperties(request.json());
  if (typeof topic !== 'string') throw badRequest('A conversation needs a topic.', 'topic');
  if (!Array.isArray(threads) || threads.length === 0) throw badRequest('A conversation needs a thread with a post.', 'threads');
  return change(request, async (store, group) => {
    const conversation = await store.createConversation(topic, threads as { posts?: unknown[] }[]);
    const address = `${request.base}/groups/${group.id}/conversations/${conversation.id}`;
    return created(areaEntity(request, group, 'conversations', conversation), address);
  });
}

/** The conversation of the path, when it names one. */
function conversationIn(request: DirectoryRequest): string | undefined {
  const key = request.key('conversation');
  return typeof key === 'string' && key !== '' ? key : undefined;
}

function createThread(request: DirectoryRequest): Promise<Reply> {
  const { topic, posts } = ownProperties(request.json());
  if (typeof topic !== 'string') throw badRequest('A thread needs a topic.', 'topic');
  if (!Array.isArray(posts) || posts.length === 0) throw badRequest('A thread needs a post.', 'posts');
  return change(request, async (store, group) => {
    const conversation = conversationIn(request);
    if (conversation !== undefined) await store.conversation(conversation);
    const id =
      conversation === undefined
        ? ((await store.createConversation(topic, [{ topic, posts }])).threads[0]?.id ?? '')
        : await store.createThread(conversation, topic, posts);
    return created(areaEntity(request, group, 'threads', await store.thread(id)), `${request.base}/groups/${group.id}/threads/${id}`);
  });
}

function updateThread(request: DirectoryRequest): Promise<Reply> {
  const { isLocked, ...others } = ownProperties(request.json());
  const [other] = Object.keys(others);
  if (other !== undefined) throw badRequest(`Property '${other}' of a thread is read-only: only isLocked can be changed.`, other);
  if (typeof isLocked !== 'boolean') throw badRequest('isLocked must be true or false.', 'isLocked');
  return change(request, async (store, group) => {
    const thread = await store.lockThread(request.parameter('thread'), isLocked);
    return request.preference('return') === 'representation' ? ok(areaEntity(request, group, 'threads', thread)) : noContent;
  });
}

function reply(request: DirectoryRequest): Promise<Reply> {
  const { post } = request.json();
  const thread = request.parameter('thread');
  return change(request, async (store) => {
    const { isLocked } = await store.thread(thread);
    if (request.key('post') !== '') await store.post(thread, request.parameter('post'));
    if (isLocked === true) throw denied('The thread is locked: it takes no replies.');
    await store.addPost(thread, post);
    return { status: 202 };
  });
}

/** Forwarding sends mail to people: there is no mail system here, so it is checked and accepted. */
async function forward(request: DirectoryRequest): Promise<Reply> {
  const { toRecipients } = request.json();
  if (!Array.isArray(toRecipients) || toRecipients.length === 0) throw badRequest('toRecipients must name somebody.', 'toRecipients');
  await new ConversationStore(request, await findUnified(request)).post(request.parameter('thread'), request.parameter('post'));
  return { status: 200 };
}
