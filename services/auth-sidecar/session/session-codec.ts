import { decodeSession, encodeSession, type Session } from './session.js';
import type { KeyRing } from './key-ring.js';

/**
 * How a session is transported: an encrypted cookie is accepted only as a cookie, a token only in
 * the session header.
 */
export type SessionTransport = 'cookie' | 'token';

/** A cached session, and what it was decrypted from. */
interface CachedSession {
  /**
   * The text that must be equal: the encrypted one, or the decrypted bytes if every request is
   * verified.
   */
  readonly proof: string;
  readonly transport: SessionTransport;
  /** The origin that it was encrypted for: under another it is not accepted. */
  readonly origin: string;
  readonly session: Session;
}

/**
 * The number of characters at the end of an encrypted text that contain its authentication tag: no
 * two sessions share them.
 */
const tagCharacters = 22;
const maxCachedCharacters = 32 * 1024 * 1024;
/** The number of cached sessions if every request is verified. */
const verifiedCapacity = 10_000;

/** Encrypts and decrypts sessions with a set of keys, with a limited cache of decrypted ones. */
export class SessionCodec {
  /** By authentication tag, a short key; the whole text is then compared. */
  private readonly cache = new Map<string, CachedSession>();
  private characters = 0;
  private readonly capacity: number;
  private readonly verifiesEveryRequest: boolean;

  /**
   * @param capacity the number of cached decrypted sessions. 0: decrypts and verifies every
   *   request, and only caches how equal bytes are parsed.
   */
  constructor(
    private readonly keys: KeyRing,
    capacity: number,
  ) {
    this.verifiesEveryRequest = capacity === 0;
    this.capacity = this.verifiesEveryRequest ? verifiedCapacity : capacity;
  }

  seal(session: Session, transport: SessionTransport, origin: string): string {
    return this.keys.seal(encodeSession(session), `${transport}|${origin}`);
  }

  open(sealed: string, transport: SessionTransport, origin: string): Session | undefined {
    const tag = sealed.slice(-tagCharacters);
    const cached = this.cache.get(tag);
    if (
      !this.verifiesEveryRequest &&
      cached !== undefined &&
      cached.proof === sealed &&
      cached.transport === transport &&
      cached.origin === origin
    )
      return cached.session;
    const bytes = this.keys.open(sealed, `${transport}|${origin}`);
    if (bytes === undefined) return undefined;
    const proof = this.verifiesEveryRequest ? bytes.toString('latin1') : sealed;
    if (this.verifiesEveryRequest && cached?.proof === proof) return cached.session;
    const session = decodeSession(bytes);
    if (session !== undefined)
      this.remember(ownCopy(tag), { proof: ownCopy(proof), transport, origin, session });
    return session;
  }

  private remember(tag: string, entry: CachedSession): void {
    this.forget(tag);
    this.cache.set(tag, entry);
    this.characters += entry.proof.length;
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= this.capacity && this.characters <= maxCachedCharacters) break;
      this.forget(oldest);
    }
  }

  private forget(tag: string): void {
    this.characters -= this.cache.get(tag)?.proof.length ?? 0;
    this.cache.delete(tag);
  }
}

/** A separate string: a part of a request's header would keep the whole header in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
