import { createHash } from 'node:crypto';
import { splitQuery } from '../../core/text/split-query.js';

/** A person who signed in to an application. */
export interface RecentSignIn {
  /** Object id. */
  readonly personId: string;
  readonly clientId: string;
}

/** How many of the latest sign-ins are kept. */
const maxSignIns = 500;

/** The latest sign-ins by the `state` that the application gets back; states are kept as hashes. */
export class RecentSignIns {
  readonly #byStateHash = new Map<string, RecentSignIn>();

  /** Keeps a sign-in, if its request had a state. */
  add(state: string | undefined, signIn: RecentSignIn): void {
    if (state === undefined) return;
    this.#byStateHash.set(hash(state), signIn);
    const [oldest] = this.#byStateHash.keys();
    if (this.#byStateHash.size > maxSignIns && oldest !== undefined)
      this.#byStateHash.delete(oldest);
  }

  /** Who signed in with the state in an address; undefined for other addresses. */
  findByCallbackUrl(url: string): RecentSignIn | undefined {
    const [, query] = splitQuery(url);
    const state = query === undefined ? null : new URLSearchParams(query).get('state');
    return state === null ? undefined : this.#byStateHash.get(hash(state));
  }
}

function hash(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}
