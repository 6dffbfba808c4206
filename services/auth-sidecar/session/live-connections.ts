/** A connection that must not outlive its session. */
export interface LiveConnection {
  /** Whether the session, or token, that opened it has expired. */
  isExpired(): boolean;
  /** Whether its session goes on, in any process, and its request would be admitted now. */
  isAdmitted(): Promise<boolean>;
  /** Closes it. */
  end(): void;
}

/**
 * How often the store is checked for sessions ended by another process, in milliseconds: with the
 * check itself it takes less than two seconds.
 */
const checkIntervalMs = 1500;

/**
 * Connections that must end with their session: WebSockets and event streams. A sign-out in this
 * process ends them at once; one in another process or replica, and an expiry, at the next check.
 */
export class LiveConnections {
  private readonly bySession = new Map<string, Set<LiveConnection>>();
  private timer: NodeJS.Timeout | undefined;

  /**
   * Adds a connection of a session.
   *
   * @returns a function to call when the connection has closed itself
   */
  add(sessionId: string, connection: LiveConnection): () => void {
    const connections = this.bySession.get(sessionId) ?? new Set();
    this.bySession.set(sessionId, connections);
    connections.add(connection);
    this.timer ??= setInterval(() => this.checkNow(), checkIntervalMs).unref();
    return () => {
      connections.delete(connection);
      if (connections.size === 0 && this.bySession.get(sessionId) === connections)
        this.bySession.delete(sessionId);
      if (this.bySession.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
    };
  }

  /** Closes the connections of a session. */
  endSession(sessionId: string): void {
    const connections = this.bySession.get(sessionId);
    this.bySession.delete(sessionId);
    for (const connection of connections ?? []) connection.end();
  }

  /** Closes the connections whose sessions have expired, or ended, or are no longer admitted. */
  checkNow(): void {
    for (const connection of [...this.bySession.values()].flatMap((each) => [...each])) {
      if (connection.isExpired()) connection.end();
      // If the store can't be reached, the next check decides: until then nobody else is admitted.
      else void connection.isAdmitted().then((admitted) => admitted || connection.end(), ignore);
    }
  }
}

const ignore = (): void => undefined;
