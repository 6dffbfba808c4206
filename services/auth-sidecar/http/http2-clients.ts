import http2, { type ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import type { RequestListener } from '../operations/tracing.js';

/** What clients of HTTP/2 may do. */
export interface Http2Limits {
  /** Bytes of a request's headers together. */
  readonly headerSize: number;
  /** How long a connection may be silent, in milliseconds. */
  readonly silence: number;
}

/** What clients of HTTP/1.1 and HTTP/2 may ask for in the handshake, the preferred one first. */
export const applicationProtocols = ['h2', 'http/1.1'];

/**
 * Serves those clients of a TLS server that chose HTTP/2 in its handshake, by Node's interface for
 * both; the others stay with the server itself.
 */
export class Http2Clients {
  private readonly sessions = new Set<ServerHttp2Session>();

  constructor(
    server: Server,
    listener: RequestListener,
    onContinue: RequestListener,
    { headerSize, silence }: Http2Limits,
  ) {
    const settings = { maxConcurrentStreams: 100, maxHeaderListSize: headerSize };
    const inner = http2.createServer({ settings }, listener as unknown as Http2Listener);
    inner.on('checkContinue', onContinue as unknown as Http2Listener);
    inner.on('session', (session) => {
      this.sessions.add(session);
      session.once('close', () => this.sessions.delete(session));
      session.setTimeout(silence, () => session.close());
    });
    const byHttp1 = server.listeners('secureConnection');
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') inner.emit('connection', socket);
      else for (const each of byHttp1) each.call(server, socket);
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
