import { createHash } from 'node:crypto';

/** A person who signed in to an application. */
export interface RecentSignIn {
  readonly personId: string;
  readonly clientId: string;
}

const maxSignIns = 500;

/** The latest sign-ins by the `state` that the application gets back; states are kept as hashes. */
export class RecentSignIns {
  readonly #known = new Map<string, RecentSignIn>();

  add(state: string | undefined, signIn: RecentSignIn): void {
    if (state === undefined) return;
    this.#known.set(hash(state), signIn);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxSignIns && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Who signed in with the state in an address; undefined for other addresses. */
  find(url: string): RecentSignIn | undefined {
    const query = url.split('?', 2)[1];
    const state = query === undefined ? null : new URLSearchParams(query).get('state');
    return state === null ? undefined : this.#known.get(hash(state));
  }
}

function hash(state: string): string {
  return createHash('sha256').update(state).digest('base64url');
}
