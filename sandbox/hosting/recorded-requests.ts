import { maskPath } from '../console/mask-secrets.js';
import type { RecordedRequest } from './app-status.js';
import { type ReceivedRequest, secretHeader } from './request-page.js';

/** How many of the latest requests are kept. */
const maxRequests = 20;

/** The latest requests of an app's page, without the values of secret headers. */
export class RecordedRequests {
  readonly #requests: RecordedRequest[] = [];

  get latest(): readonly RecordedRequest[] {
    return this.#requests;
  }

  add({ method, path, headers }: ReceivedRequest): void {
    const masked = headers.map(
      ([name, value]) =>
        [name, secretHeader.test(name) ? `${value.length} characters, not shown` : value] as const,
    );
    this.#requests.push({
      at: new Date().toISOString(),
      method,
      path: maskPath(path),
      headers: masked,
    });
    if (this.#requests.length > maxRequests) this.#requests.shift();
  }
}
