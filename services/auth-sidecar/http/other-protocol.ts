import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { listMembers, trimWhitespace } from './optional-whitespace.js';
import { headerLines, keepNamed, valuesOf } from './raw-headers.js';

/** Whether the Upgrade header of a request offers WebSocket, and nothing else. */
export function offersWebSocket({ rawHeaders }: IncomingMessage): boolean {
  const [offer = '', ...others] = valuesOf(rawHeaders, 'upgrade');
  return others.length === 0 && trimWhitespace(offer).toLowerCase() === 'websocket';
}

/**
 * Answers a request with another Upgrade (usually h2c, which some HTTP clients send with the first
 * request of each connection) as if it had none, which every server may do (RFC 9110, 7.8): it is
 * parsed and checked again without the header. The app does not see the offer, and the connection
 * closes after the answer, so that later bytes cannot be parsed as the other protocol.
 *
 * @param early bytes after the request's head: its body.
 */
export function answerWithoutOffer(
  server: Server,
  inbound: IncomingMessage,
  socket: Duplex,
  early: Buffer,
  tls: boolean,
): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(inbound), 'latin1'), early]));
  server.emit(tls ? 'secureConnection' : 'connection', socket);
}

const offering = new Set(['upgrade', 'http2-settings', 'connection']);

function headWithoutOffer(inbound: IncomingMessage): string {
  const { method = '', url = '', httpVersion, rawHeaders } = inbound;
  const lines = headerLines(keepNamed(rawHeaders, (name) => !offering.has(name.toLowerCase())));
  const listed = valuesOf(rawHeaders, 'connection')
    .flatMap(listMembers)
    .filter((token) => !/^(upgrade|http2-settings|keep-alive|close)$/i.test(token));
  return `${method} ${url} HTTP/${httpVersion}\r\n${lines}Connection: ${['close', ...listed].join(', ')}\r\n\r\n`;
}
