import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** Between a sign-in layer and its app. */
export interface PrincipalRelay {
  readonly port: number;
  close(): void;
}

/** The headers that say who is signed in, in both dialects. */
const principalHeader = /^x-(?:ms|svc)-(?:client-principal|token)\b/i;

/**
 * Passes requests of a sign-in layer on to its app; those that `loses` picks arrive without the
 * headers of the signed-in person.
 */
export async function openPrincipalRelay(
  upstream: number,
  losesPrincipal: (request: IncomingMessage) => boolean,
): Promise<PrincipalRelay> {
  const headersOf = (request: IncomingMessage): string[] => {
    const lost = losesPrincipal(request);
    return request.rawHeaders.filter((_text, at, all) => {
      const name = all[at - (at % 2)] ?? '';
      return !(lost && principalHeader.test(name));
    });
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const onward = httpRequest({
      host: '127.0.0.1',
      port: upstream,
      method: request.method,
      path: request.url,
      headers: headersOf(request),
    });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const onward = connect(upstream, '127.0.0.1', () => {
      const headers = headersOf(request);
      const lines = headers.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${headers[at + 1] ?? ''}`] : [],
      );
      const first = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`;
      onward.write(`${[first, ...lines].join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
