import { decodeSession, encodeSession, type Session } from './session.js';
import type { KeyRing } from './key-ring.js';

/**
 * How a session is transported: an encrypted cookie is accepted only as a cookie, a token only in
 * the session header.
 */
export type SessionTransport = 'cookie' | 'token';

/** A cached session, and what it was decrypted from. */
interface DecodedCookie {
  /**
   * The text that must be equal: the encrypted one, or the decrypted bytes if every request is
   * verified.
   */
  readonly proof: string;
  readonly carrier: SessionTransport;
  readonly origin: string;
  readonly session: Session;
}

/**
 * The number of characters at the end of an encrypted text that contain its authentication tag: no
 * two sessions share them.
 */
const tagCharacters = 22;
const maxCharacters = 32 * 1024 * 1024;
/** The number of cached sessions if every request is verified. */
const maxVerified = 10_000;

/** Encrypts and decrypts sessions with a set of keys, with a limited cache of decrypted ones. */
export class SessionCodec {
  /** Keyed by the tag alone, so that a lookup hashes little; the whole text is then compared. */
  private readonly cache = new Map<string, DecodedCookie>();
  private characters = 0;
  private readonly capacity: number;
  private readonly verifies: boolean;

  /**
   * @param capacity the number of cached decrypted sessions. 0: decrypts and verifies every
   *   request; only the parsing of equal bytes is
   * cached.
   */
  constructor(
    private readonly keys: KeyRing,
    capacity: number,
  ) {
    this.verifies = capacity === 0;
    this.capacity = this.verifies ? maxVerified : capacity;
  }

  seal(session: Session, carrier: SessionTransport, origin: string): string {
    return this.keys.seal(encodeSession(session), `${carrier}|${origin}`);
  }

  open(sealed: string, carrier: SessionTransport, origin: string): Session | undefined {
    const tag = sealed.slice(-tagCharacters);
    const cached = this.cache.get(tag);
    if (
      !this.verifies &&
      cached !== undefined &&
      cached.proof === sealed &&
      cached.carrier === carrier &&
      cached.origin === origin
    )
      return cached.session;
    const bytes = this.keys.open(sealed, `${carrier}|${origin}`);
    if (bytes === undefined) return undefined;
    const proof = this.verifies ? bytes.toString('latin1') : sealed;
    if (this.verifies && cached?.proof === proof) return cached.session;
    const session = decodeSession(bytes);
    if (session !== undefined)
      this.remember(ownCopy(tag), { proof: ownCopy(proof), carrier, origin, session });
    return session;
  }

  private remember(tag: string, entry: DecodedCookie): void {
    this.forget(tag);
    this.cache.set(tag, entry);
    this.characters += entry.proof.length;
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= this.capacity && this.characters <= maxCharacters) break;
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
