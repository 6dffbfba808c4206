import type { HttpRequest, HttpResponse } from './http-messages.js';
import { backOffMs } from './retry.js';

/**
 * The objects that a client made. A directory that is spread over several places answers 404 for
 * some seconds after an object was made
 * (https://github.com/hashicorp/terraform-provider-azuread/issues/791): a client that knows what it
 * made asks again.
 */
export class RecentCreations {
  readonly #madeAt = new Map<string, number>();

  /**
   * @param patienceMs how long after its creation an object may be missing, in milliseconds.
   * @param now the time in milliseconds.
   */
  constructor(
    private readonly patienceMs = 60_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Remembers what was made, and forgets what was deleted. */
  record(
    { method, url, path = url ?? '' }: HttpRequest,
    { status, body }: HttpResponse<unknown>,
  ): void {
    if (method === 'POST' && status === 201) {
      const id = (body as { id?: unknown } | undefined)?.id;
      if (typeof id === 'string') this.#madeAt.set(id, this.now());
    }
    if (method === 'DELETE')
      for (const id of this.#madeAt.keys()) if (path.includes(id)) this.#madeAt.delete(id);
  }

  /**
   * Whether a request that was answered by 404 is to be sent again, since it names something that
   * was just made.
   */
  isAwaited({ method, path, url, body }: HttpRequest): boolean {
    if (this.#madeAt.size === 0 || method === 'DELETE') return false;
    const text = `${path ?? url ?? ''} ${body === undefined ? '' : JSON.stringify(body)}`;
    return [...this.#madeAt].some(
      ([id, madeAt]) => this.now() - madeAt < this.patienceMs && text.includes(id),
    );
  }

  /** The wait before the next attempt, in milliseconds. */
  waitMs(attempt: number): number {
    return Math.min(2000, backOffMs(attempt));
  }
}
