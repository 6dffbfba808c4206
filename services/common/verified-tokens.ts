import type { Caller } from './caller.js';

/** What a token that passed every check says. */
export interface VerifiedToken {
  /** Without trailing slashes. */
  readonly audiences: readonly string[];
  readonly caller: Caller;
}

/** A signature isn't checked again for so long: a key that an issuer takes back is soon out of use here, too. */
const trustedMilliseconds = 60_000;
const kept = 2_000;

/** Tokens whose signatures were checked a moment ago: callers send the same one again and again, and checking costs more than answering. */
export class VerifiedTokens {
  readonly #tokens = new Map<string, { readonly token: VerifiedToken; readonly from: number; readonly until: number }>();

  get(text: string, now: Date): VerifiedToken | undefined {
    const found = this.#tokens.get(text);
    if (found === undefined) return undefined;
    if (now.getTime() >= found.from && now.getTime() < found.until) return found.token;
    this.#tokens.delete(text);
    return undefined;
  }

  /** @param expires when the token itself ends, in milliseconds of the epoch. */
  put(text: string, token: VerifiedToken, now: Date, expires: number): void {
    const from = now.getTime();
    this.#tokens.set(text, { token, from, until: Math.min(from + trustedMilliseconds, expires) });
    const [oldest] = this.#tokens.size > kept ? this.#tokens.keys() : [];
    if (oldest !== undefined) this.#tokens.delete(oldest);
  }
}
