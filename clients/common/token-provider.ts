/** A bearer token and when it expires. */
export interface AccessToken {
  /** The token itself, without `Bearer`. */
  readonly token: string;
  /** When it expires. @default unknown: the token is used until the service refuses it */
  readonly expiresAt?: Date;
}

/** A source of bearer tokens. */
export interface TokenProvider {
  /**
   * A token for a scope such as `https://api.fabric.microsoft.com/.default`.
   *
   * @throws CAS5004 when no token can be fetched.
   */
  getToken(scope: string, signal?: AbortSignal): Promise<AccessToken>;
  /**
   * Called when a service refused the token (401), so that the next call returns a new one.
   * Providers without a cache omit it.
   */
  forget?(scope: string): void;
}

/** Always returns the given token. */
export function staticToken(token: string): TokenProvider {
  return { getToken: () => Promise.resolve({ token }) };
}

/** Caches tokens until five minutes before they expire; concurrent requests share one call. */
export function cacheTokens(
  source: TokenProvider,
  now: () => Date = () => new Date(),
): TokenProvider {
  const cachedTokens = new Map<string, AccessToken>();
  const pendingRequests = new Map<string, Promise<AccessToken>>();
  const renewalMarginMs = 5 * 60_000;
  const isFresh = (token: AccessToken): boolean =>
    token.expiresAt === undefined || token.expiresAt.getTime() - renewalMarginMs > now().getTime();
  return {
    forget: (scope) => void cachedTokens.delete(scope),
    getToken(scope, signal) {
      const token = cachedTokens.get(scope);
      if (token && isFresh(token)) return Promise.resolve(token);
      let pending = pendingRequests.get(scope);
      if (!pending) {
        // Does not use the first caller's signal: aborting that caller must not fail the others.
        pending = source.getToken(scope).then((fresh) => {
          cachedTokens.set(scope, fresh);
          return fresh;
        });
        pendingRequests.set(scope, pending);
        // The callers get the failure from `pending` itself.
        pending.finally(() => pendingRequests.delete(scope)).catch(() => undefined);
      }
      return signal === undefined ? pending : untilAborted(pending, signal);
    },
  };
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((done, fail) => {
    const stop = (): void => fail(signal.reason as Error);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener('abort', stop));
  });
}
