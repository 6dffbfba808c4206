import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
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

/** How often only ::1 must accept connections before 127.0.0.1 is not waited for any more. */
const ipv6Polls = 5;

/**
 * Waits until something accepts connections at a port of this machine.
 *
 * @returns the address: 127.0.0.1, or ::1 where a program listens there only, as it may on
 *   `localhost`; undefined when `hasFailed` returns true first, or after the timeout
 */
export async function waitUntilAccepting(
  port: number,
  hasFailed: () => boolean,
  timeoutMs = 120_000,
): Promise<'127.0.0.1' | '::1' | undefined> {
  const deadline = performance.now() + timeoutMs;
  let ipv6Count = 0;
  while (performance.now() < deadline && !hasFailed()) {
    if (await acceptsConnections(port)) return '127.0.0.1';
    ipv6Count = (await acceptsConnections(port, '::1')) ? ipv6Count + 1 : 0;
    if (ipv6Count === ipv6Polls) return '::1';
    await wait(100);
  }
  return undefined;
}

/**
 * Passes connections to a port of 127.0.0.1 on to the same port of ::1.
 *
 * @returns a function that ends it, with its connections
 */
export async function forwardToIpv6(port: number): Promise<() => void> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const target = connect({ port, host: '::1' });
    for (const [side, other] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(side);
      side.once('error', () => other.destroy());
      side.once('close', () => {
        sockets.delete(side);
        other.destroy();
      });
      side.pipe(other);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}
