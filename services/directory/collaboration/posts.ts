import { badRequest } from '../http/errors.js';
import type { DirectoryRequest } from '../http/request.js';
import { callerObject } from '../groups/find-group.js';
import type { Body } from '../store/objects.js';
import { changeKey, mailboxId } from './area.js';

/** Somebody with an address. */
interface Recipient {
  readonly emailAddress: { readonly name: string | null; readonly address: string | null };
}

/** A post as it is stored: who wrote what, when. @throws DirectoryError 400 for a malformed body. */
export async function newPost(
  request: DirectoryRequest,
  given: unknown,
  conversationId: string,
  threadId: string,
): Promise<Body & { id: string }> {
  const { body, newParticipants } = (given ?? {}) as { body?: { contentType?: unknown; content?: unknown }; newParticipants?: unknown };
  if (typeof body !== 'object' || body === null || typeof body.content !== 'string')
    throw badRequest('A post needs a body with contentType and content.', 'body');
  const type = String(body.contentType ?? 'text').toLowerCase();
  if (type !== 'text' && type !== 'html') throw badRequest("contentType must be 'text' or 'html'.", 'body');
  const now = request.directory.clock.now().toISOString();
  const from = await sender(request);
  return {
    id: mailboxId(),
    createdDateTime: now,
    lastModifiedDateTime: now,
    changeKey: changeKey(),
    categories: [],
    receivedDateTime: now,
    hasAttachments: false,
    body: { contentType: type, content: body.content },
    from,
    sender: from,
    conversationThreadId: threadId,
    conversationId,
    newParticipants: Array.isArray(newParticipants) ? newParticipants : [],
  };
}

async function sender(request: DirectoryRequest): Promise<Recipient> {
  const self = await callerObject(request);
  const text = (name: string): string | null => (typeof self?.body[name] === 'string' ? (self.body[name] as string) : null);
  return { emailAddress: { name: text('displayName') ?? request.caller.name ?? null, address: text('mail') ?? text('userPrincipalName') } };
}

/** The first words of a post, as lists show them. */
export function previewOf(post: Body): string {
  const { contentType, content } = post['body'] as { contentType: string; content: string };
  const text = contentType === 'html' ? content.replace(/<[^>]{0,1000}>/g, ' ') : content;
  return text.replace(/\s+/g, ' ').trim().slice(0, 255);
}
