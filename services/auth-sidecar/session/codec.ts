import { decodeSession, encodeSession, type Session } from './session.js';
import type { KeyRing } from './key-ring.js';

/** How a session is transported: a sealed cookie is accepted as a cookie only, a token in the session header only. */
export type Carrier = 'cookie' | 'token';

/** A session opened before, and what it was opened from. */
interface DecodedCookie {
  /** What has to come again: the sealed text, or the bytes within where every request is verified. */
  readonly proof: string;
  readonly carrier: Carrier;
  readonly origin: string;
  readonly session: Session;
}

/** Characters at the end of a sealed text, which hold the seal's authentication tag: no two sessions share them. */
const tagCharacters = 22;
const mostCharacters = 32 * 1024 * 1024;
/** How many sessions are remembered where every request is verified. */
const mostVerified = 10_000;

/** Seals and opens sessions for one set of keys, with a bounded memory of those opened before. */
export class SessionCodec {
  /** By the tag alone, so that a lookup hashes little; what is found must then be the same as a whole. */
  private readonly cache = new Map<string, DecodedCookie>();
  private characters = 0;
  private readonly capacity: number;
  private readonly verifies: boolean;

  /**
   * @param capacity how many opened sessions are remembered. 0: each request's seal is opened and verified; only what the same bytes said
   * before is not read again.
   */
  constructor(
    private readonly keys: KeyRing,
    capacity: number,
  ) {
    this.verifies = capacity === 0;
    this.capacity = this.verifies ? mostVerified : capacity;
  }

  seal(session: Session, carrier: Carrier, origin: string): string {
    return this.keys.seal(encodeSession(session), `${carrier}|${origin}`);
  }

  open(sealed: string, carrier: Carrier, origin: string): Session | undefined {
    const tag = sealed.slice(-tagCharacters);
    const cached = this.cache.get(tag);
    if (!this.verifies && cached !== undefined && cached.proof === sealed && cached.carrier === carrier && cached.origin === origin)
      return cached.session;
    const bytes = this.keys.open(sealed, `${carrier}|${origin}`);
    if (bytes === undefined) return undefined;
    const proof = this.verifies ? bytes.toString('latin1') : sealed;
    if (this.verifies && cached?.proof === proof) return cached.session;
    const session = decodeSession(bytes);
    if (session !== undefined) this.remember(ownCopy(tag), { proof: ownCopy(proof), carrier, origin, session });
    return session;
  }

  private remember(tag: string, entry: DecodedCookie): void {
    this.forget(tag);
    this.cache.set(tag, entry);
    this.characters += entry.proof.length;
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= this.capacity && this.characters <= mostCharacters) break;
      this.forget(oldest);
    }
  }

  private forget(tag: string): void {
    this.characters -= this.cache.get(tag)?.proof.length ?? 0;
    this.cache.delete(tag);
  }
}

/** A text of its own: a part of a request's header would keep the whole header in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
