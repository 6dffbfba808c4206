import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Calls back when a client that reads more slowly than the app writes has taken what waits for it.
 * One that takes nothing for too long is disconnected: the app's connection waits meanwhile.
 *
 * @param idleTimeoutMs how long the client may take nothing; also the limit that the connection has
 *   while the request's body arrives.
 */
export function whenClientDrained(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  idleTimeoutMs: number,
  onDrained: () => void,
): void {
  // Node restarts the time for each part that the system takes over.
  const restart = (): void => void outbound.setTimeout(idleTimeoutMs);
  const disconnect = (): void => void outbound.destroy();
  outbound.on('timeout', disconnect);
  restart();
  inbound.once('end', restart); // the end of the body ends its own limit
  outbound.once('drain', () => {
    outbound.off('timeout', disconnect);
    inbound.off('end', restart);
    if (inbound.complete) outbound.setTimeout(0);
    onDrained();
  });
}
