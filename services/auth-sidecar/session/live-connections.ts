import type { Session } from './session.js';

/** The open connections of one session. */
interface LiveSession {
  readonly session: Session;
  readonly hasEnded: () => Promise<boolean>;
  readonly ends: Set<() => void>;
}

/**
 * How often the store is checked for sessions ended by another process, in milliseconds: with the
 * check itself it takes less than two seconds.
 */
const interval = 1500;

/**
 * Connections that must end with their session: WebSockets and event streams. A sign-out in this process ends them at
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

  /**
   * @param hasEnded whether the session was ended in any process. @param end closes the connection.
   * @returns a function to call when it has closed itself
   */
  hold(session: Session, hasEnded: () => Promise<boolean>, end: () => void): () => void {
    const entry = this.bySession.get(session.id) ?? { session, hasEnded, ends: new Set() };
    this.bySession.set(session.id, entry);
    entry.ends.add(end);
    this.timer ??= setInterval(() => this.checkNow(), interval).unref();
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

  /** Closes the connections of sessions that have ended anywhere. */
  checkNow(): void {
    for (const { session, hasEnded } of [...this.bySession.values()]) {
      if (!this.isAdmitted(session)) {
        this.endOf(session.id);
        continue;
      }
      // An unreachable store is checked again later: no one new is admitted meanwhile.
      void hasEnded().then((ended) => (ended ? this.endOf(session.id) : undefined), ignore);
    }
  }
}

const ignore = (): void => undefined;
