import type { Session } from './session.js';
import type { TokenKeeper } from './token-keeper.js';

/** Connections that one session holds open. */
interface LiveSession {
  readonly session: Session;
  readonly keeper: TokenKeeper;
  readonly ends: Set<() => void>;
}

/** How often the store is asked for sessions that another process ended, in milliseconds. */
const interval = 2000;

/**
 * Connections that live for a session and must not outlive it: WebSockets. A sign-out in this process ends them at once, one in another
 * process or replica as soon as the store is asked again.
 */
export class LiveConnections {
  private readonly bySession = new Map<string, LiveSession>();
  private timer: NodeJS.Timeout | undefined;

  /** @param end closes the connection. @returns a function to call when it has closed by itself */
  hold(session: Session, keeper: TokenKeeper, end: () => void): () => void {
    const entry = this.bySession.get(session.id) ?? { session, keeper, ends: new Set() };
    this.bySession.set(session.id, entry);
    entry.ends.add(end);
    this.timer ??= setInterval(() => this.look(), interval).unref();
    return () => {
      entry.ends.delete(end);
      if (entry.ends.size === 0 && this.bySession.get(session.id) === entry) this.bySession.delete(session.id);
      if (this.bySession.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** Ends what a session holds open. */
  endOf(sessionId: string): void {
    const entry = this.bySession.get(sessionId);
    this.bySession.delete(sessionId);
    for (const end of entry?.ends ?? []) end();
  }

  private look(): void {
    for (const { session, keeper } of [...this.bySession.values()]) {
      // A store that can't be reached now is asked again: nothing new is let in meanwhile.
      void keeper.wasEnded(session).then((hasEnded) => (hasEnded ? this.endOf(session.id) : undefined), ignore);
    }
  }
}

const ignore = (): void => undefined;
