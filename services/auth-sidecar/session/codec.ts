import { decodeSession, encodeSession } from './session.js';
import type { Session } from './session.js';
import type { KeyRing } from './key-ring.js';

/** Where a session travels: a cookie opens nowhere but in a cookie, a token nowhere but in the session header. */
export type Carrier = 'cookie' | 'token';

/** A session opened before, and all that it was opened from. */
interface Opened {
  readonly sealed: string;
  readonly carrier: Carrier;
  readonly origin: string;
  readonly session: Session;
}

/** Characters at the end of a sealed text, which hold the seal's authentication tag: no two sessions share them. */
const tagCharacters = 22;
const mostCharacters = 32 * 1024 * 1024;

/** Seals and opens sessions for one set of keys, with a bounded memory of those opened before. */
export class SessionCodec {
  /** By the tag alone, so that a lookup hashes little; what is found must then be the same text as a whole. */
  private readonly opened = new Map<string, Opened>();
  private characters = 0;

  /** @param capacity how many opened sessions are remembered; 0: every request is verified from scratch. */
  constructor(
    private readonly keys: KeyRing,
    private readonly capacity: number,
  ) {}

  seal(session: Session, carrier: Carrier, origin: string): string {
    return this.keys.seal(encodeSession(session), `${carrier}|${origin}`);
  }

  open(sealed: string, carrier: Carrier, origin: string): Session | undefined {
    if (this.capacity > 0) {
      const known = this.opened.get(sealed.slice(-tagCharacters));
      if (known !== undefined && known.sealed === sealed && known.carrier === carrier && known.origin === origin) return known.session;
    }
    const bytes = this.keys.open(sealed, `${carrier}|${origin}`);
    const session = bytes === undefined ? undefined : decodeSession(bytes);
    if (session !== undefined && this.capacity > 0) this.remember({ sealed: ownCopy(sealed), carrier, origin, session });
    return session;
  }

  private remember(opened: Opened): void {
    const key = ownCopy(opened.sealed.slice(-tagCharacters));
    this.forget(key);
    this.opened.set(key, opened);
    this.characters += opened.sealed.length;
    for (const oldest of this.opened.keys()) {
      if (this.opened.size <= this.capacity && this.characters <= mostCharacters) break;
      this.forget(oldest);
    }
  }

  private forget(key: string): void {
    this.characters -= this.opened.get(key)?.sealed.length ?? 0;
    this.opened.delete(key);
  }
}

/** A text of its own: a part of a request's header would keep the whole header in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
