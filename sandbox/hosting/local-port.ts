import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A currently unused port of 127.0.0.1. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
}

/** Whether something accepts connections at a port. */
export function acceptsConnections(
  port: number,
  host = '127.0.0.1',
  timeoutMs = 1_000,
): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host });
    const end = (isAccepted: boolean): void => {
      socket.destroy();
      done(isAccepted);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/**
 * Waits until something accepts connections at a port of 127.0.0.1.
 *
 * @returns false when `hasFailed` returns true first, or after the timeout
 */
export async function waitUntilAccepting(
  port: number,
  hasFailed: () => boolean,
  timeoutMs = 120_000,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && !hasFailed()) {
    if (await acceptsConnections(port)) return true;
    await wait(100);
  }
  return false;
}
