import type { Session } from './session.js';

/** A connection that must not outlive its session. */
export interface LiveConnection {
  /** Whether the session, or token, that opened it has expired. */
  isOver(): boolean;
  /** Closes it. */
  end(): void;
}

/** The open connections of one session. */
interface LiveSession {
  readonly session: Session;
  readonly hasEnded: () => Promise<boolean>;
  readonly connections: Set<LiveConnection>;
}

/**
 * How often the store is checked for sessions ended by another process, in milliseconds: with the
 * check itself it takes less than two seconds.
 */
const interval = 1500;

/**
 * Connections that must end with their session: WebSockets and event streams. A sign-out in this
 * process ends them at once; one in another process or replica, and an expiry, at the next check.
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
   * @param hasEnded whether the session was ended in any process.
   * @returns a function to call when the connection has closed itself
   */
  hold(session: Session, hasEnded: () => Promise<boolean>, connection: LiveConnection): () => void {
    const entry = this.bySession.get(session.id) ?? { session, hasEnded, connections: new Set() };
    this.bySession.set(session.id, entry);
    entry.connections.add(connection);
    this.timer ??= setInterval(() => this.checkNow(), interval).unref();
    return () => {
      entry.connections.delete(connection);
      if (entry.connections.size === 0 && this.bySession.get(session.id) === entry)
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
    for (const connection of entry?.connections ?? []) connection.end();
  }

  /** Closes the connections of sessions that have expired, or ended anywhere. */
  checkNow(): void {
    for (const { session, hasEnded, connections } of [...this.bySession.values()]) {
      for (const connection of [...connections]) if (connection.isOver()) connection.end();
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
