import type { Tokens } from '../providers/provider.js';
import type { EntryStore, Soon } from '../token-store/entry-store.js';
import type { KeyRing } from './key-ring.js';
import type { Session } from './session.js';

/** The stored state of a session. */
export interface SessionRecord {
  readonly revoked: boolean;
  readonly tokens?: Tokens;
}

/** How long an ended session is remembered beyond its own end, in seconds. */
const afterwards = 300;

/** Stores the providers' tokens, encrypted, and the list of ended sessions. */
export class TokenKeeper {
  /** The last decrypted tokens by session, so that unchanged ones are not decrypted again. */
  private readonly cache = new Map<
    string,
    { readonly sealed: string; readonly tokens: Tokens | undefined }
  >();

  /**
   * @param entries ended sessions and used states. @param tokens the store of tokens; undefined if
   *   it is off.
   * @param onEnd called with the id of a session that ends here.
   */
  constructor(
    private readonly entries: EntryStore,
    private readonly tokens: EntryStore | undefined,
    private readonly keys: KeyRing,
    private readonly onEnd: (sessionId: string) => void,
  ) {}

  get keepsTokens(): boolean {
    return this.tokens !== undefined;
  }

  /**
   * Looks up a session; synchronously if the store is in this process. @throws when a store cannot
   * be reached
   */
  look(session: Session): Soon<SessionRecord> {
    const { revokedKey, tokensKey } = session;
    if (this.tokens === undefined)
      return whenReady(this.entries.read([revokedKey]), ([revoked]) => ({
        revoked: revoked !== undefined,
      }));
    if (this.tokens === this.entries)
      return whenReady(this.entries.read([revokedKey, tokensKey]), ([revoked, sealed]) =>
        this.record(revoked, tokensKey, sealed),
      );
    return this.lookInBoth(session, this.tokens);
  }

  private async lookInBoth(
    { revokedKey, tokensKey }: Session,
    tokens: EntryStore,
  ): Promise<SessionRecord> {
    const [[revoked], [revokedThere, sealed]] = await Promise.all([
      this.entries.read([revokedKey]),
      tokens.read([revokedKey, tokensKey]),
    ]);
    return this.record(revoked ?? revokedThere, tokensKey, sealed);
  }

  private record(
    revoked: string | undefined,
    key: string,
    sealed: string | undefined,
  ): SessionRecord {
    if (revoked !== undefined) return { revoked: true };
    if (sealed === undefined) return { revoked: false };
    const cached = this.cache.get(key);
    if (cached?.sealed === sealed)
      return cached.tokens === undefined
        ? { revoked: false }
        : { revoked: false, tokens: cached.tokens };
    const bytes = this.keys.open(sealed, key);
    const tokens = bytes === undefined ? undefined : (JSON.parse(bytes.toString()) as Tokens);
    this.cache.set(key, { sealed, tokens });
    if (this.cache.size > 5000) this.cache.delete(this.cache.keys().next().value as string);
    return tokens === undefined ? { revoked: false } : { revoked: false, tokens };
  }

  async save(session: Session, tokens: Tokens): Promise<void> {
    await this.tokens?.write(
      session.tokensKey,
      this.keys.seal(Buffer.from(JSON.stringify(tokens)), session.tokensKey),
      session.renewableUntil + afterwards,
    );
  }

  /**
   * Ends a session everywhere: its cookie and its token are refused, and its provider tokens are
   * deleted.
   */
  async end(session: Session): Promise<void> {
    const until = Math.max(session.expiresAt, session.renewableUntil) + afterwards;
    await this.entries.add(session.revokedKey, '1', until);
    this.onEnd(session.id);
    if (this.tokens !== undefined && this.tokens !== this.entries)
      await this.tokens.add(session.revokedKey, '1', until);
    this.cache.delete(session.tokensKey);
    await this.tokens?.remove(session.tokensKey);
  }

  /** Whether a session was ended, here or elsewhere. */
  async wasEnded(session: Session): Promise<boolean> {
    return (await this.look(session)).revoked;
  }

  /** Calls the stores. @throws when one cannot be reached */
  async ask(): Promise<void> {
    await Promise.all([this.entries.read(['readiness']), this.tokens?.read(['readiness'])]);
  }

  /** Marks a one-time value as used; false if any replica has used it before. */
  useOnce(key: string, until: number): Soon<boolean> {
    return this.entries.add(key, '1', until);
  }

  release(key: string): Soon<void> {
    return this.entries.remove(key);
  }
}

function whenReady<T, R>(value: Soon<T>, then: (value: T) => R): Soon<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}
