import type { HttpRequest, HttpResponse } from './http-messages.js';
import { backOffMs } from './retry.js';

/**
 * The objects that a client created a short time ago. A replicated directory answers 404 for some
 * seconds after a creation (https://github.com/hashicorp/terraform-provider-azuread/issues/791), so
 * requests for these objects are retried.
 */
export class RecentCreations {
  readonly #createdAt = new Map<string, number>();

  /**
   * @param replicationDelayMs how long after its creation an object may be missing on some replica.
   * @param now the time in milliseconds.
   */
  constructor(
    private readonly replicationDelayMs = 60_000,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Adds the object that a request created, or removes the one that it deleted. The object whose
   * reference was removed (`groups/{id}/owners/{id}/$ref`) still exists.
   */
  record(
    { method, url, path = url ?? '' }: HttpRequest,
    { status, body }: HttpResponse<unknown>,
  ): void {
    if (method === 'POST' && status === 201) {
      const id = (body as { id?: unknown } | undefined)?.id;
      if (typeof id === 'string') this.#createdAt.set(id, this.now());
    }
    if (method === 'DELETE') this.#createdAt.delete(path.split('/').at(-1) ?? '');
  }

  /**
   * Whether the path or body of a request contains the id of an object that was just created: after
   * a 404 the request is sent again. A DELETE never is: what is missing is deleted.
   */
  mentionsRecentCreation({ method, path, url, body }: HttpRequest): boolean {
    if (this.#createdAt.size === 0 || method === 'DELETE') return false;
    const text = `${path ?? url ?? ''} ${body === undefined ? '' : JSON.stringify(body)}`;
    return [...this.#createdAt].some(
      ([id, createdAt]) => this.now() - createdAt < this.replicationDelayMs && text.includes(id),
    );
  }

  /** The wait before the next attempt, in milliseconds. */
  retryDelayMs(attempt: number): number {
    return Math.min(2000, backOffMs(attempt));
  }
}
