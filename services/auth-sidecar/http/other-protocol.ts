import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseSocket } from './refuse.js';

/** Whether a request that offers to go over to another protocol offers WebSocket, and nothing else. */
export function offersWebSocket({ rawHeaders }: IncomingMessage): boolean {
  const offers = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'upgrade');
  return offers.length === 1 && offers[0]?.trim().toLowerCase() === 'websocket';
}

/**
 * Answers a request that offers any other protocol (usually h2c, as some HTTP clients do with the first request of each connection) as if
 * it offered none, which every server may (RFC 9110, 7.8): it goes through the same parser and the same checks again, without its offer.
 * Nothing of the offer reaches the app, and the connection ends with the answer, so that nothing behind it can be taken for the other
 * protocol.
 *
 * @param early bytes that came behind the request's head: its body.
 */
export function answerWithoutOffer(server: Server, inbound: IncomingMessage, socket: Duplex, early: Buffer, tls: boolean): void {
  // The new parser doesn't know that an earlier request on this connection still waits for its answer.
  if ((socket as { _httpMessage?: unknown })._httpMessage) {
    refuseSocket(socket, 400, 'Another protocol can not be offered behind a request that has no answer yet.');
    return;
  }
  socket.unshift(Buffer.concat([Buffer.from(headWithoutOffer(inbound), 'latin1'), early]));
  server.emit(tls ? 'secureConnection' : 'connection', socket);
}

const offering = new Set(['upgrade', 'http2-settings', 'connection']);

function headWithoutOffer({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): string {
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
  const tokens = connection.split(',').map((token) => token.trim());
  return tokens.filter((token) => token !== '' && !/^(upgrade|http2-settings|keep-alive|close)$/i.test(token));
}
