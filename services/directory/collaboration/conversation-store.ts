import { callerObject } from '../groups/find-group.js';
import { badRequest, denied, itemNotFound } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { presentItem } from '../kernel/item-operations.js';
import type { Item } from '../store/items.js';
import type { Body, StoredObject } from '../store/objects.js';
import { changeKey, mailboxId, previewOf } from './area.js';

const conversations = 'conversation';
const threads = 'thread';
const posts = 'post';

/** Conversations of one group: each holds threads, each thread posts. */
export class ConversationStore {
  constructor(
    private readonly request: DirectoryRequest,
    private readonly group: StoredObject,
  ) {}

  async conversations(): Promise<Body[]> {
    return Promise.all((await this.#items.list(conversations, this.group.id)).map((item) => this.#conversation(item)));
  }

  async conversation(id: string): Promise<Body> {
    return this.#conversation(await this.#require(conversations, id));
  }

  async createConversation(
    topic: string,
    given: readonly { topic?: unknown; posts?: readonly unknown[] }[],
  ): Promise<{ id: string; threads: { id: string }[] }> {
    const id = mailboxId();
    await this.#items.put(conversations, this.group.id, id, { topic }, this.#now());
    const created: { id: string }[] = [];
    for (const thread of given) created.push({ id: await this.createThread(id, String(thread.topic ?? topic), thread.posts ?? []) });
    return { id, threads: created };
  }

  async removeConversation(id: string): Promise<void> {
    for (const thread of await this.threads(id)) await this.removeThread(String(thread['id']));
    await this.#items.remove(conversations, this.group.id, id);
  }

  /** Threads of one conversation, or of the whole group. */
  async threads(conversationId?: string): Promise<Body[]> {
    if (conversationId !== undefined) await this.#require(conversations, conversationId);
    const all = await this.#items.list(threads, this.group.id);
    const wanted = all.filter(({ body }) => conversationId === undefined || body['conversationId'] === conversationId);
    return Promise.all(wanted.map((item) => this.#thread(item)));
  }

  async thread(id: string): Promise<Body> {
    return this.#thread(await this.#require(threads, id));
  }

  async createThread(conversationId: string, topic: string, given: readonly unknown[]): Promise<string> {
    const id = mailboxId();
    await this.#items.put(threads, this.group.id, id, { topic, conversationId, isLocked: false }, this.#now());
    for (const post of given) await this.addPost(id, post);
    return id;
  }

  async lockThread(id: string, isLocked: boolean): Promise<Body> {
    const { body } = await this.#require(threads, id);
    return this.#thread(await this.#items.put(threads, this.group.id, id, { ...body, isLocked }, this.#now()));
  }

  async removeThread(id: string): Promise<void> {
    for (const post of await this.posts(id)) await this.#items.remove(posts, `${this.group.id}/${id}`, String(post['id']));
    await this.#items.remove(threads, this.group.id, id);
  }

  async posts(threadId: string): Promise<Body[]> {
    await this.#require(threads, threadId);
    return (await this.#items.list(posts, `${this.group.id}/${threadId}`)).map(presentItem);
  }

  async post(threadId: string, id: string): Promise<Body> {
    return presentItem(await this.#require(posts, id, `${this.group.id}/${threadId}`));
  }

  /** Adds a post to a thread, unless the sender lists are against it. @throws DirectoryError 403, or 400 for a malformed post. */
  async addPost(threadId: string, given: unknown): Promise<void> {
    await this.#requireSender();
    const { body: thread } = await this.#require(threads, threadId);
    const { body, newParticipants } = (given ?? {}) as { body?: { contentType?: unknown; content?: unknown }; newParticipants?: unknown };
    if (typeof body !== 'object' || body === null || typeof body.content !== 'string')
      throw badRequest('A post needs a body with contentType and content.', 'body');
    const contentType = String(body.contentType ?? 'text').toLowerCase();
    if (contentType !== 'text' && contentType !== 'html') throw badRequest("contentType must be 'text' or 'html'.", 'body');
    const now = this.#now();
    const from = await this.#sender();
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
      conversationThreadId: threadId,
      conversationId: thread['conversationId'],
      newParticipants: Array.isArray(newParticipants) ? newParticipants : [],
    };
    const place = `${now}/${String((await this.posts(threadId)).length).padStart(9, '0')}`;
    await this.#items.put(posts, `${this.group.id}/${threadId}`, mailboxId(), post, place);
  }

  /** If there are accepted senders, only they may post; rejected ones may not. Groups in the lists mean their members. */
  async #requireSender(): Promise<void> {
    const { links } = this.request.directory;
    const self = await callerObject(this.request);
    const listed = async (list: 'acceptedSenders' | 'rejectedSenders'): Promise<boolean> => {
      for (const sender of await links.targets(this.group, list))
        if (sender.id === self?.id || (self && sender.type === 'group' && (await links.isInside(sender, self)))) return true;
      return false;
    };
    const accepted = (await links.count(this.group, 'acceptedSenders')) === 0 || (await listed('acceptedSenders'));
    if (!accepted || (await listed('rejectedSenders'))) throw denied('The sender is not allowed to post to this group.');
  }

  /** The caller as a recipient. */
  async #sender(): Promise<{ readonly emailAddress: { readonly name: string | null; readonly address: string | null } }> {
    const self = await callerObject(this.request);
    const text = (name: string): string | null => (typeof self?.body[name] === 'string' ? (self.body[name] as string) : null);
    const name = text('displayName') ?? this.request.caller.name ?? null;
    return { emailAddress: { name, address: text('mail') ?? text('userPrincipalName') } };
  }

  async #require(collection: string, id: string, parent = this.group.id): Promise<Item> {
    const item = await this.#items.get(collection, parent, id);
    if (!item) throw itemNotFound();
    return item;
  }

  async #conversation({ id, body }: Item): Promise<Body> {
    const all = await this.threads(id);
    const delivered = all.map((thread) => String(thread['lastDeliveredDateTime'])).sort();
    return {
      id,
      topic: body['topic'],
      hasAttachments: false,
      lastDeliveredDateTime: delivered.at(-1) ?? this.#now(),
      uniqueSenders: [...new Set(all.flatMap((thread) => thread['uniqueSenders'] as string[]))],
      preview: all.at(-1)?.['preview'] ?? '',
    };
  }

  async #thread({ id, body }: Item): Promise<Body> {
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

  get #items(): DirectoryRequest['directory']['items'] {
    return this.request.directory.items;
  }

  #now(): string {
    return this.request.directory.clock.now().toISOString();
  }
}
