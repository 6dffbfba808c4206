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

/** Whether something accepts connections there. */
export function acceptsConnections(
  port: number,
  host = '127.0.0.1',
  milliseconds = 1_000,
): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host });
    const end = (answer: boolean): void => {
      socket.destroy();
      done(answer);
    };
    socket.setTimeout(milliseconds, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/**
 * Waits until something accepts connections there; false when `isOver` returns true first, or it
 * takes too long.
 */
export async function waitUntilAccepting(
  port: number,
  isOver: () => boolean,
  milliseconds = 120_000,
): Promise<boolean> {
  for (
    const deadline = performance.now() + milliseconds;
    performance.now() < deadline && !isOver();
    await wait(100)
  )
    if (await acceptsConnections(port)) return true;
  return false;
}
