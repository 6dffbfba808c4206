import { membersOf, trimWhitespace } from './optional-whitespace.js';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Whether the Upgrade header of a request offers WebSocket, and nothing else. */
export function offersWebSocket({ rawHeaders }: IncomingMessage): boolean {
  const offers = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'upgrade',
  );
  return offers.length === 1 && trimWhitespace(offers[0] ?? '').toLowerCase() === 'websocket';
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

function headWithoutOffer({
  method = '',
  url = '',
  httpVersion,
  rawHeaders,
}: IncomingMessage): string {
  const tokens: string[] = ['close'];
  let lines = '';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index] as string, rawHeaders[index + 1] as string];
    const lower = name.toLowerCase();
    if (!offering.has(lower)) lines += `${name}: ${value}\r\n`;
    else if (lower === 'connection') tokens.push(...namesOf(value));
  }
  return `${method} ${url} HTTP/${httpVersion}\r\n${lines}Connection: ${tokens.join(', ')}\r\n\r\n`;
}

/** The headers that a `Connection` header lists. */
function namesOf(connection: string): string[] {
  return membersOf(connection).filter(
    (token) => !/^(upgrade|http2-settings|keep-alive|close)$/i.test(token),
  );
}
