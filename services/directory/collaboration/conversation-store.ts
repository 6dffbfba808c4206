import { denied, itemNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { callerObject } from '../groups/find-group.js';
import type { Directory } from '../kernel/directory.js';
import type { Body, StoredObject } from '../store/objects.js';
import { mailboxId } from './area.js';
import { newPost, previewOf } from './posts.js';

const conversations = 'conversation';
const threads = 'thread';
const posts = 'post';

/** Conversations of one group: each holds threads, each thread posts. */
export class ConversationStore {
  constructor(
    private readonly request: DirectoryRequest,
    private readonly group: StoredObject,
  ) {}

  get #directory(): Directory {
    return this.request.directory;
  }

  async conversations(): Promise<Body[]> {
    const items = await this.#directory.items.list(conversations, this.group.id);
    return Promise.all(items.map((item) => this.#conversation(item.id, item.body)));
  }

  async conversation(id: string): Promise<Body> {
    const item = await this.#directory.items.get(conversations, this.group.id, id);
    if (!item) throw itemNotFound();
    return this.#conversation(id, item.body);
  }

  async createConversation(
    topic: string,
    given: readonly { topic?: unknown; posts?: readonly unknown[] }[],
  ): Promise<{ id: string; threads: { id: string }[] }> {
    const id = mailboxId();
    await this.#directory.items.put(conversations, this.group.id, id, { topic }, this.#now());
    const created: { id: string }[] = [];
    for (const thread of given) created.push({ id: await this.createThread(id, String(thread.topic ?? topic), thread.posts ?? []) });
    return { id, threads: created };
  }

  async removeConversation(id: string): Promise<void> {
    for (const thread of await this.threads(id)) await this.removeThread(String(thread['id']));
    if (!(await this.#directory.items.remove(conversations, this.group.id, id))) throw itemNotFound();
  }

  /** Threads of one conversation, or of the whole group. */
  async threads(conversationId?: string): Promise<Body[]> {
    if (conversationId !== undefined) await this.#requireConversation(conversationId);
    const items = await this.#directory.items.list(threads, this.group.id);
    const found = items.filter((item) => conversationId === undefined || item.body['conversationId'] === conversationId);
    return Promise.all(found.map((item) => this.#thread(item.id, item.body)));
  }

  async thread(id: string): Promise<Body> {
    const item = await this.#directory.items.get(threads, this.group.id, id);
    if (!item) throw itemNotFound();
    return this.#thread(id, item.body);
  }

  async createThread(conversationId: string, topic: string, given: readonly unknown[]): Promise<string> {
    const id = mailboxId();
    await this.#directory.items.put(threads, this.group.id, id, { topic, conversationId, isLocked: false }, this.#now());
    for (const post of given) await this.addPost(id, conversationId, post);
    return id;
  }

  async lockThread(id: string, isLocked: boolean): Promise<Body> {
    const item = await this.#directory.items.get(threads, this.group.id, id);
    if (!item) throw itemNotFound();
    await this.#directory.items.put(threads, this.group.id, id, { ...item.body, isLocked }, this.#now());
    return this.thread(id);
  }

  async removeThread(id: string): Promise<void> {
    for (const post of await this.posts(id)) await this.#directory.items.remove(posts, `${this.group.id}/${id}`, String(post['id']));
    await this.#directory.items.remove(threads, this.group.id, id);
  }

  async posts(threadId: string): Promise<Body[]> {
    if (!(await this.#directory.items.get(threads, this.group.id, threadId))) throw itemNotFound();
    return (await this.#directory.items.list(posts, `${this.group.id}/${threadId}`)).map((item) => ({ id: item.id, ...item.body }));
  }

  async post(threadId: string, id: string): Promise<Body> {
    const item = await this.#directory.items.get(posts, `${this.group.id}/${threadId}`, id);
    if (!item) throw itemNotFound();
    return { id: item.id, ...item.body };
  }

  /** Adds a post to a thread, unless the sender lists or a lock are against it. @throws DirectoryError 403. */
  async addPost(threadId: string, conversationId: string, given: unknown): Promise<void> {
    await this.#requireSender();
    const { id, ...body } = await newPost(this.request, given, conversationId, threadId);
    await this.#directory.items.put(
      posts,
      `${this.group.id}/${threadId}`,
      id,
      body,
      `${this.#now()}/${String((await this.posts(threadId)).length).padStart(9, '0')}`,
    );
  }

  /** If there are accepted senders, only they may post; rejected ones may not. Groups in the lists stand for their members. */
  async #requireSender(): Promise<void> {
    const { links } = this.#directory;
    const self = await callerObject(this.request);
    const listed = async (list: 'acceptedSenders' | 'rejectedSenders'): Promise<boolean> => {
      for (const sender of await links.targets(this.group, list))
        if (sender.id === self?.id || (self && sender.type === 'group' && (await links.isInside(sender, self)))) return true;
      return false;
    };
    const accepted = (await links.count(this.group, 'acceptedSenders')) === 0 || (await listed('acceptedSenders'));
    if (!accepted || (await listed('rejectedSenders'))) throw denied('The sender is not allowed to post to this group.');
  }

  async #requireConversation(id: string): Promise<void> {
    if (!(await this.#directory.items.get(conversations, this.group.id, id))) throw itemNotFound();
  }

  async #conversation(id: string, body: Body): Promise<Body> {
    const all = await this.threads(id);
    const last = all
      .map((thread) => String(thread['lastDeliveredDateTime']))
      .sort()
      .at(-1);
    return {
      id,
      topic: body['topic'],
      hasAttachments: false,
      lastDeliveredDateTime: last ?? this.#now(),
      uniqueSenders: [...new Set(all.flatMap((thread) => thread['uniqueSenders'] as string[]))],
      preview: all.at(-1)?.['preview'] ?? '',
    };
  }

  async #thread(id: string, body: Body): Promise<Body> {
    const all = await this.posts(id);
    const last = all.at(-1);
    const names = all.map((post) => (post['from'] as { emailAddress: { name: string | null } }).emailAddress.name);
    return {
      id,
      topic: body['topic'],
      toRecipients: [{ emailAddress: { name: this.group.body['displayName'], address: this.group.body['mail'] ?? null } }],
      ccRecipients: [],
      hasAttachments: false,
      lastDeliveredDateTime: last?.['receivedDateTime'] ?? this.#now(),
      uniqueSenders: [...new Set(names.filter((name) => name !== null))],
      preview: last ? previewOf(last) : '',
      isLocked: body['isLocked'],
    };
  }

  #now(): string {
    return this.#directory.clock.now().toISOString();
  }

  /** The conversation that a thread belongs to. */
  async conversationOf(threadId: string): Promise<string> {
    const item = await this.#directory.items.get(threads, this.group.id, threadId);
    if (!item) throw itemNotFound();
    return String(item.body['conversationId']);
  }
}
