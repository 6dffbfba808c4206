import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { parseList, trimWhitespace } from './field-value.js';
import { headerLines, filterHeaders, headerValues } from './raw-headers.js';

/** Whether the Upgrade header of a request offers WebSocket, and nothing else. */
export function offersWebSocket({ rawHeaders }: IncomingMessage): boolean {
  const [offer = '', ...otherOffers] = headerValues(rawHeaders, 'upgrade');
  return otherOffers.length === 0 && trimWhitespace(offer).toLowerCase() === 'websocket';
}

/**
 * Serves a request that offers another protocol than WebSocket (usually h2c, which some clients offer
 * with the first request of each connection) as if it had no `Upgrade`, which RFC 9110, 7.8 allows.
 * The request is put back into the socket without the offer, and parsed again. The connection closes
 * after the answer, so that later bytes cannot be read as the other protocol.
 *
 * @param firstBytes the bytes that arrived after the request's head: the start of its body.
 */
export function serveWithoutUpgrade(
  server: Server,
  inbound: IncomingMessage,
  socket: Duplex,
  firstBytes: Buffer,
  isTls: boolean,
): void {
  socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(inbound), 'latin1'), firstBytes]));
  server.emit(isTls ? 'secureConnection' : 'connection', socket);
}

const offerHeaders = new Set(['upgrade', 'http2-settings', 'connection']);

function headWithoutOffer(inbound: IncomingMessage): string {
  const { method = '', url = '', httpVersion, rawHeaders } = inbound;
  const lines = headerLines(
    filterHeaders(rawHeaders, (name) => !offerHeaders.has(name.toLowerCase())),
  );
  const connectionOptions = headerValues(rawHeaders, 'connection')
    .flatMap(parseList)
    .filter((token) => !/^(upgrade|http2-settings|keep-alive|close)$/i.test(token));
  return `${method} ${url} HTTP/${httpVersion}\r\n${lines}Connection: ${['close', ...connectionOptions].join(', ')}\r\n\r\n`;
}
