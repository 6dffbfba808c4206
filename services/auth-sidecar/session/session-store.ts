import type { CompletedSignIn, Tokens } from '../providers/provider.js';
import type { SessionKeeping } from '../config/settings.js';
import type { EntryStore } from '../token-store/entry-store.js';
import { type MaybePromise, whenFulfilled } from '../maybe-promise.js';
import type { KeyRing } from './key-ring.js';
import type { Identity } from './identity.js';
import {
  cutoffKeys,
  personOf,
  revokedKey,
  type Session,
  lastSignOutKey,
  signedOutTokenKey,
  tokenHash,
} from './session.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The stored state of a session. */
export interface SessionRecord {
  /** Whether it has ended by what the store says; its `expiresAt` is not compared. */
  readonly revoked: boolean;
  /** The provider's, if they are kept. */
  readonly tokens?: Tokens;
  /** The newest statement of the provider about the person, if it was asked again. */
  readonly evaluation?: IdentityEvaluation;
  /** No key here opens it: another replica has newer keys. */
  readonly isUnreadable?: true;
}

/** What a provider last said of a person: at the sign-in, or when it was asked again. */
export interface IdentityEvaluation {
  readonly identity: Identity;
  /** Seconds since 1970. */
  readonly at: number;
}

/** What the store of tokens holds of a session. */
interface StoredSession {
  readonly tokens: Tokens;
  readonly evaluation?: IdentityEvaluation;
}

const activeRecord: SessionRecord = { revoked: false };
const unreadableRecord: SessionRecord = { revoked: false, isUnreadable: true };

/** How long a sign-out is remembered, in seconds: longer than any provider's tokens are valid. */
const signOutSeconds = 30 * 24 * 3600;

/** Store key of the time at which the store began: an emptied one has forgotten sign-outs. */
const storeStartKey = 'generation';
/** Longer than any session, in seconds. */
const storeStartSeconds = 10 * 365 * 24 * 3600;

/** How long an ended session is remembered beyond its own end, in seconds. */
const extraSeconds = 300;

/** Stores the state of sessions: whether they have ended, and the provider's tokens, encrypted. */
export class SessionStore {
  /** The last decrypted tokens by session, so that unchanged ones are not decrypted again. */
  private readonly cache = new Map<
    string,
    { readonly sealed: string; readonly record: SessionRecord }
  >();

  /** Which sessions and tokens have ended: in a blob container, where all replicas see it. */
  private readonly endingsStore: EntryStore;

  /**
   * @param entries the register of sessions, and used one-time values.
   * @param tokenStore the store of tokens: `entries` or a blob container; undefined if it is off.
   * @param onEnd called with the id of a session that ends here.
   */
  constructor(
    private readonly entries: EntryStore,
    private readonly tokenStore: EntryStore | undefined,
    private readonly keys: KeyRing,
    private readonly onEnd: (sessionId: string) => void,
    private readonly keptBy: SessionKeeping,
  ) {
    this.endingsStore = tokenStore ?? entries;
  }

  /**
   * Whether a session has ended, by the values of its `revokedKey`, of the entry without which it
   * does not exist, and of its `cutoffKeys`. A session that the store keeps has
   * ended when its entry is gone; one of a cookie alone when it is older than what the store
   * remembers.
   */
  private isEnded({ issuedAt }: Session, values: readonly (string | undefined)[]): boolean {
    const [revoked, registeredOrStoreStart, ...cutoffs] = values;
    if (revoked !== undefined || registeredOrStoreStart === undefined) return true;
    if (this.keptBy === 'cookie' && issuedAt < Number(registeredOrStoreStart)) return true;
    return cutoffs.some((cutoff) => cutoff !== undefined && issuedAt < secondOf(cutoff));
  }

  /** Records in a new or emptied store that it has existed since the start of this session. */
  async recordStoreStart({ issuedAt }: Session): Promise<void> {
    await this.endingsStore.add(storeStartKey, String(issuedAt), issuedAt + storeStartSeconds);
  }

  get keepsTokens(): boolean {
    return this.tokenStore !== undefined;
  }

  /**
   * Looks up a session; synchronously if the store is in this process. @throws when a store cannot
   * be reached
   */
  readRecord(session: Session): MaybePromise<SessionRecord> {
    const { tokensKey, revokedKey, registerEntryKey, cutoffKeys } = session;
    const existenceKey = this.keptBy === 'store' ? registerEntryKey : storeStartKey;
    const recordOf = (
      sealed: string | undefined,
      endingValues: readonly (string | undefined)[],
    ) => {
      if (this.isEnded(session, endingValues)) return { revoked: true };
      return this.keepsTokens ? this.decryptRecord(tokensKey, sealed) : activeRecord;
    };
    if (this.keptBy === 'store' && this.endingsStore !== this.entries)
      return Promise.all([
        this.entries.read([registerEntryKey]),
        this.endingsStore.read([tokensKey, revokedKey, ...cutoffKeys]),
      ]).then(([[registered], [sealed, revoked, ...cutoffs]]) =>
        recordOf(sealed, [revoked, registered, ...cutoffs]),
      );
    return whenFulfilled(
      this.endingsStore.read([tokensKey, revokedKey, existenceKey, ...cutoffKeys]),
      ([sealed, ...endingValues]) => recordOf(sealed, endingValues),
    );
  }

  private decryptRecord(key: string, sealed: string | undefined): SessionRecord {
    if (sealed === undefined) return activeRecord;
    const cached = this.cache.get(key);
    if (cached?.sealed === sealed) return cached.record;
    const bytes = this.keys.open(sealed, key);
    const record: SessionRecord =
      bytes === undefined
        ? unreadableRecord
        : { revoked: false, ...(JSON.parse(bytes.toString()) as StoredSession) };
    this.cache.set(key, { sealed, record });
    if (this.cache.size > 5000) this.cache.delete(this.cache.keys().next().value as string);
    return record;
  }

  /** @param evaluation the provider's newest statement, if it was asked again. */
  async save(session: Session, tokens: Tokens, evaluation?: IdentityEvaluation): Promise<void> {
    const stored: StoredSession = { tokens, ...omitUndefined({ evaluation }) };
    await this.tokenStore?.write(
      session.tokensKey,
      this.keys.seal(Buffer.from(JSON.stringify(stored)), session.tokensKey),
      session.renewableUntil + extraSeconds,
    );
  }

  /**
   * Ends a session everywhere: its cookie and its token are refused, and its provider tokens are
   * deleted. A copy that was renewed in the meantime, and ends later, has ended, too.
   *
   * @param endedAt seconds since 1970
   */
  async end(session: Session, endedAt: number): Promise<void> {
    const endsAt = Math.max(session.expiresAt, session.renewableUntil);
    const until = Math.max(endsAt, endedAt + endsAt - session.issuedAt) + extraSeconds;
    await this.endingsStore.add(session.revokedKey, '1', until);
    this.onEnd(session.id);
    this.cache.delete(session.tokensKey);
    await this.tokenStore?.remove(session.tokensKey);
  }

  /** Ends a session of which only the hash is known. @param endedAt seconds since 1970 */
  async endByHash(hash: string, endedAt: number): Promise<void> {
    await this.endingsStore.add(revokedKey(hash), '1', endedAt + signOutSeconds);
  }

  /**
   * Remembers that a person signed out: tokens that the provider issued before, and those of the
   * session, no longer start sessions here.
   *
   * @param tokens those of the session, if they were stored. @param endedAt seconds since 1970.
   */
  async markSignedOut(
    { provider, identity, sourceTokenHash }: Session,
    tokens: Tokens | undefined,
    endedAt: number,
  ): Promise<void> {
    const until = endedAt + signOutSeconds;
    const { idToken, accessToken, authenticationToken } = tokens ?? {};
    const hashes = [idToken, accessToken, authenticationToken].flatMap((token) =>
      token === undefined ? [] : [tokenHash(token)],
    );
    for (const each of new Set([
      ...hashes,
      ...(sourceTokenHash === undefined ? [] : [sourceTokenHash]),
    ]))
      await this.endingsStore.write(signedOutTokenKey(each), '1', until);
    await this.endingsStore.write(
      lastSignOutKey(personOf(provider, identity)),
      String(endedAt),
      until,
    );
  }

  /** Whether a token of this sign-in was issued before a sign-out of the person. */
  async wasSignedOut(
    provider: string,
    { identity, issuedAt }: CompletedSignIn,
    token: string,
  ): Promise<boolean> {
    const person = personOf(provider, identity);
    const [tokenSignedOut, personSignedOut, ...cutoffs] = await this.endingsStore.read([
      signedOutTokenKey(tokenHash(token)),
      lastSignOutKey(person),
      ...cutoffKeys(person),
    ]);
    return (
      tokenSignedOut !== undefined ||
      // In the second of the sign-out, the hash alone tells a token from a later one, as it does
      // where the provider was asked whether the token is valid.
      (issuedAt !== undefined &&
        personSignedOut !== undefined &&
        issuedAt < Number(personSignedOut)) ||
      cutoffs.some((each) => each !== undefined && (issuedAt ?? 0) <= secondOf(each))
    );
  }

  /** Ends all sessions that started before a time, under one of the `cutoffKeys`. */
  async setCutoff(key: string, at: Date): Promise<void> {
    const cutoff = at.getTime() / 1000;
    await this.endingsStore.write(key, String(cutoff), Math.floor(cutoff) + signOutSeconds);
  }

  /** Whether sessions of its person, or all, were ended after a time. */
  async hasCutoffSince({ cutoffKeys }: Session, since: Date): Promise<boolean> {
    const cutoffs = await this.endingsStore.read(cutoffKeys);
    return cutoffs.some((each) => each !== undefined && Number(each) * 1000 >= since.getTime());
  }

  /** Whether a bearer token was issued before sessions of its person were ended. */
  async isBeforeCutoff({ cutoffKeys, issuedAt }: Session): Promise<boolean> {
    const cutoffs = await this.endingsStore.read(cutoffKeys);
    return cutoffs.some((each) => each !== undefined && issuedAt <= secondOf(each));
  }

  /** Calls the stores. @throws when one cannot be reached */
  async checkReachable(): Promise<void> {
    await Promise.all([this.entries.read(['readiness']), this.tokenStore?.read(['readiness'])]);
  }

  /**
   * Adds a key of all replicas until a time, for a value that is used once or as a lock.
   *
   * @returns false if the key was there already
   */
  addKey(key: string, until: number): MaybePromise<boolean> {
    return this.entries.add(key, '1', until);
  }

  /** Removes a key of {@link addKey}: its value can be used again, its lock is free. */
  removeKey(key: string): MaybePromise<void> {
    return this.entries.remove(key);
  }
}

/** The whole second of a time, because sessions have their start in whole seconds. */
function secondOf(time: string): number {
  return Math.floor(Number(time));
}
