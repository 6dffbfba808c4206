import type { ListableStore } from '../token-store/entry-store.js';
import type { KeyRing } from './key-ring.js';
import {
  decodeSession,
  encodeSession,
  personOf,
  providerSessionKey,
  registerPrefix,
  type Session,
} from './session.js';

/** Claims by which a session is found. */
const identifyingClaims = ['iss', 'sub', 'sid', 'email'];

/** How long a session is listed beyond its end, in seconds. */
const extraSeconds = 300;

/** The sessions in the store, encrypted, so that operators and providers can end them. */
export class SessionRegister {
  constructor(
    private readonly entries: ListableStore,
    private readonly keys: KeyRing,
  ) {}

  /** Adds a session, or renews its entry. @throws when the store cannot be reached */
  async add(session: Session): Promise<void> {
    const bytes = encodeSession(withIdentifyingClaims(session));
    const key = session.registerEntryKey;
    const until = Math.max(session.expiresAt, session.renewableUntil) + extraSeconds;
    await this.entries.write(key, this.keys.seal(bytes, key), until);
    const { issuer } = personOf(session.provider, session.identity);
    const { sid } = session.identity.claims;
    if (typeof sid === 'string')
      await this.entries.write(providerSessionKey(issuer, sid), '1', until);
  }

  /** Whether sessions here began with this session at the provider; reads one entry, no list. */
  async hasProviderSession(issuer: string, sid: string): Promise<boolean> {
    const [entry] = await this.entries.read([providerSessionKey(issuer, sid)]);
    return entry !== undefined;
  }

  /** Forgets a session at the provider: the sessions here that began with it have all ended. */
  async removeProviderSession(issuer: string, sid: string): Promise<void> {
    await this.entries.remove(providerSessionKey(issuer, sid));
  }

  /** The session with a hash; undefined if it is not in the register. */
  async find(hash: string): Promise<Session | undefined> {
    const key = `${registerPrefix}${hash}`;
    const [sealed] = await this.entries.read([key]);
    return sealed === undefined ? undefined : this.open(key, sealed);
  }

  /** All sessions that have not ended. @throws when the store cannot be reached */
  async list(): Promise<Session[]> {
    const entries = await this.entries.list(registerPrefix);
    return entries.flatMap(([key, sealed]) => this.open(key, sealed) ?? []);
  }

  async remove({ registerEntryKey }: Session): Promise<void> {
    await this.entries.remove(registerEntryKey);
  }

  private open(key: string, sealed: string): Session | undefined {
    const bytes = this.keys.open(sealed, key);
    return bytes === undefined ? undefined : decodeSession(bytes);
  }
}

/** A session with the claims that identify its person alone. */
function withIdentifyingClaims(session: Session): Session {
  const { id, name, claims } = session.identity;
  const entries = Object.entries(claims).filter(([key]) => identifyingClaims.includes(key));
  return { ...session, identity: { id, name, claims: Object.fromEntries(entries) } };
}
