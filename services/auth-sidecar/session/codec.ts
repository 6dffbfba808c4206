import { decodeSession, encodeSession } from './session.js';
import type { Session } from './session.js';
import type { KeyRing } from './key-ring.js';

/** Where a session travels: a cookie opens nowhere but in a cookie, a token nowhere but in the session header. */
export type Carrier = 'cookie' | 'token';

/** Seals and opens sessions for one set of keys, with a bounded memory of those opened before. */
export class SessionCodec {
  private readonly opened = new Map<string, Session>();
  private bytes = 0;

  /** @param capacity how many opened sessions are remembered; 0: every request is verified from scratch. */
  constructor(
    private readonly keys: KeyRing,
    private readonly capacity: number,
  ) {}

  seal(session: Session, carrier: Carrier, origin: string): string {
    return this.keys.seal(encodeSession(session), `${carrier}|${origin}`);
  }

  open(sealed: string, carrier: Carrier, origin: string): Session | undefined {
    const key = this.capacity === 0 ? '' : `${carrier === 'cookie' ? 'c' : 't'}${origin}|${sealed}`;
    if (this.capacity > 0) {
      const known = this.opened.get(key);
      if (known !== undefined) return known;
    }
    const bytes = this.keys.open(sealed, `${carrier}|${origin}`);
    const session = bytes === undefined ? undefined : decodeSession(bytes);
    if (session !== undefined && this.capacity > 0) this.remember(key, session);
    return session;
  }

  private remember(key: string, session: Session): void {
    this.opened.set(key, session);
    this.bytes += key.length;
    for (const [oldest] of this.opened) {
      if (this.opened.size <= this.capacity && this.bytes <= 32 * 1024 * 1024) break;
      this.opened.delete(oldest);
      this.bytes -= oldest.length;
    }
  }
}
