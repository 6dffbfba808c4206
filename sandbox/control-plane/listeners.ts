import { createServer, type Server, type ServerOptions } from 'node:https';
import type { RequestListener } from 'node:http';
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
  readonly upgrade: (...parameters: Parameters<Parameters<Server['on']>[1]>) => void;
}

/**
 * Opens the port.
 *
 * @throws CAS4014 when another process uses it.
 */
export async function openListeners(port: number, options: ListenerOptions): Promise<Listeners> {
  const servers: Server[] = [];
  for (const host of ['127.0.0.1', '::1']) {
    const server = createServer(
      { ...options.tls, keepAliveTimeout: 75_000, requestTimeout: 0 },
      options.handle,
    );
    server.on('upgrade', options.upgrade);
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
      const late = setTimeout(
        () => servers.forEach((server) => server.closeAllConnections()),
        5_000,
      );
      await Promise.all(
        servers.map((server) => {
          server.closeIdleConnections();
          return new Promise((done) => server.close(done));
        }),
      );
      clearTimeout(late);
    },
  };
}

/** Whether a port is free on this machine's loopback addresses. */
export async function isPortFree(port: number): Promise<boolean> {
  try {
    const doors = await openListeners(port, {
      tls: {},
      handle: () => undefined,
      upgrade: () => undefined,
    });
    await doors.close();
    return true;
  } catch (error) {
    if (error instanceof CastellanError) return false;
    throw error;
  }
}
