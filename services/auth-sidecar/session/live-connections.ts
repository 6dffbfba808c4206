import type { Session } from './session.js';
import type { TokenKeeper } from './token-keeper.js';

/** The open connections of one session. */
interface LiveSession {
  readonly session: Session;
  readonly keeper: TokenKeeper;
  readonly ends: Set<() => void>;
}

/** How often the store is checked for sessions ended by another process, in milliseconds. */
const interval = 2000;

/**
 * Connections that must end with their session: WebSockets. A sign-out in this process ends them at
 * once, one in another process or replica at the next check of the store.
 */
export class LiveConnections {
  private readonly bySession = new Map<string, LiveSession>();
  private timer: NodeJS.Timeout | undefined;
  private isAdmitted: (session: Session) => boolean = () => true;

  /** Ends, at the next check, the connections of sessions that a new configuration does not admit. */
  judgeBy(isAdmitted: (session: Session) => boolean): void {
    this.isAdmitted = isAdmitted;
  }

  /** @param end closes the connection. @returns a function to call when it has closed itself */
  hold(session: Session, keeper: TokenKeeper, end: () => void): () => void {
    const entry = this.bySession.get(session.id) ?? { session, keeper, ends: new Set() };
    this.bySession.set(session.id, entry);
    entry.ends.add(end);
    this.timer ??= setInterval(() => this.look(), interval).unref();
    return () => {
      entry.ends.delete(end);
      if (entry.ends.size === 0 && this.bySession.get(session.id) === entry)
        this.bySession.delete(session.id);
      if (this.bySession.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** Closes the connections of a session. */
  endOf(sessionId: string): void {
    const entry = this.bySession.get(sessionId);
    this.bySession.delete(sessionId);
    for (const end of entry?.ends ?? []) end();
  }

  private look(): void {
    for (const { session, keeper } of [...this.bySession.values()]) {
      if (!this.isAdmitted(session)) {
        this.endOf(session.id);
        continue;
      }
      // An unreachable store is checked again later: no one new is admitted meanwhile.
      void keeper
        .wasEnded(session)
        .then((hasEnded) => (hasEnded ? this.endOf(session.id) : undefined), ignore);
    }
  }
}

const ignore = (): void => undefined;
