import { createServer, type Server, type ServerOptions } from 'node:https';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { CastellanError } from '../../core/errors/castellan-error.js';

/**
 * The sandbox's listeners: the same port on 127.0.0.1 and, if available, on ::1, since "localhost"
 * may mean either.
 */
export interface Listeners {
  readonly servers: readonly Server[];
  close(): Promise<void>;
}

/** Options of the TLS servers. */
export interface ListenerOptions {
  readonly tls: ServerOptions;
  readonly handle: RequestListener;
  /** Handles a request to switch protocols, such as to WebSocket. */
  readonly upgrade: (
    server: Server,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ) => void;
}

/** How long an idle connection is kept. */
const keepAliveTimeoutMs = 75_000;
/** How long running requests may take after the listeners have been closed. */
const drainTimeoutMs = 5_000;

/**
 * Opens the port.
 *
 * @throws CAS4014 when another process uses it.
 */
export async function openListeners(port: number, options: ListenerOptions): Promise<Listeners> {
  const servers: Server[] = [];
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer(
      // 0: an upload may take any time
      { ...options.tls, keepAliveTimeout: keepAliveTimeoutMs, requestTimeout: 0 },
      options.handle,
    );
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      options.upgrade(server, request, socket, head),
    );
    // The client reports a failed handshake.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    try {
      await new Promise<void>((done, fail) => {
        server.once('error', fail);
        server.listen({ port, host, ipv6Only: true }, done);
      });
      servers.push(server);
    } catch (cause) {
      const { code } = cause as { code?: string };
      // Not every machine has IPv6.
      if (host === '::1' && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue;
      for (const each of servers) each.close();
      throw new CastellanError(
        'CAS4014',
        `port ${port} can't be used: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
  return {
    servers,
    async close() {
      const forceClose = setTimeout(
        () => servers.forEach((server) => server.closeAllConnections()),
        drainTimeoutMs,
      );
      await Promise.all(
        servers.map((server) => {
          server.closeIdleConnections();
          return new Promise((done) => server.close(done));
        }),
      );
      clearTimeout(forceClose);
    },
  };
}

/** Whether a port is free on this machine's loopback addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    const listeners = await openListeners(port, {
      tls: {},
      handle: () => undefined,
      upgrade: () => undefined,
    });
    await listeners.close();
    return true;
  } catch (error) {
    if (error instanceof CastellanError) return false;
    throw error;
  }
}
