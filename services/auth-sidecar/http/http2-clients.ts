import http2, { type ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { RequestListener } from '../operations/tracing.js';

/** The limits of clients that use HTTP/2. */
export interface Http2Limits {
  /** Bytes of a request's headers together. */
  readonly maxHeaderBytes: number;
  /** How long a connection may be silent, in milliseconds. */
  readonly idleTimeoutMs: number;
}

/**
 * What each field counts towards the size of a header list beside its name and value, in bytes (RFC
 * 9113, 6.5.2). Node's own limit of 128 fields is too low: browsers send each cookie as a field.
 */
const fieldOverheadBytes = 32;

/** The protocols that the TLS handshake offers (ALPN), the preferred one first. */
export const applicationProtocols = ['h2', 'http/1.1'];

/**
 * Serves the clients of a TLS server that chose HTTP/2 in the handshake, with the request and response
 * objects that Node has for both versions; the server itself serves the others.
 */
export class Http2Clients {
  private readonly sessions = new Set<ServerHttp2Session>();

  constructor(
    server: Server,
    listener: RequestListener,
    onContinue: RequestListener,
    { maxHeaderBytes, idleTimeoutMs }: Http2Limits,
  ) {
    const settings = { maxConcurrentStreams: 100, maxHeaderListSize: maxHeaderBytes };
    const http2Server = http2.createServer(
      { settings, maxHeaderListPairs: Math.floor(maxHeaderBytes / fieldOverheadBytes) },
      listener as unknown as Http2Listener,
    );
    http2Server.on('checkContinue', onContinue as unknown as Http2Listener);
    http2Server.on('session', (session) => {
      this.sessions.add(session);
      session.once('close', () => this.sessions.delete(session));
      session.setTimeout(idleTimeoutMs, () => session.close());
    });
    const http1Listeners = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') http2Server.emit('connection', socket);
      else for (const each of http1Listeners) each.call(server, socket);
    });
  }

  /** Takes no more requests; connections close after their answers. */
  close(): void {
    for (const session of this.sessions) session.close();
  }

  /** Closes all connections at once. */
  destroy(): void {
    for (const session of this.sessions) session.destroy();
  }
}

type Http2Listener = (
  request: http2.Http2ServerRequest,
  response: http2.Http2ServerResponse,
) => void;
