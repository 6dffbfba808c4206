import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy between a sign-in layer and its app. */
export interface PrincipalRelay {
  /** Of 127.0.0.1, for the sign-in layer. */
  readonly port: number;
  close(): void;
}

/** The headers that say who is signed in, in both dialects. */
const principalHeader = /^x-(?:ms|svc)-(?:client-principal|token)\b/i;

/**
 * Forwards requests of a sign-in layer to its app, without the headers of the signed-in person where
 * `shouldDropPrincipal` is true.
 *
 * @param appPort the port of the app on 127.0.0.1
 */
export async function openPrincipalRelay(
  appPort: number,
  shouldDropPrincipal: (request: IncomingMessage) => boolean,
): Promise<PrincipalRelay> {
  const forwardedHeaders = (request: IncomingMessage): string[] => {
    if (!shouldDropPrincipal(request)) return [...request.rawHeaders];
    return request.rawHeaders.filter((_text, index, rawHeaders) => {
      const name = rawHeaders[index - (index % 2)] ?? ''; // names and values alternate
      return !principalHeader.test(name);
    });
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const appRequest = httpRequest({
      host: '127.0.0.1',
      port: appPort,
      method: request.method,
      path: request.url,
      headers: forwardedHeaders(request),
    });
    appRequest.once('response', (answer) => {
      answer.once('error', () => response.destroy());
      try {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
      } catch {
        return void response.destroy(); // a status that HTTP does not have
      }
      answer.pipe(response);
    });
    appRequest.once('error', () => response.destroy());
    response.once('close', () => appRequest.destroy());
    request.pipe(appRequest);
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const appSocket = connect(appPort, '127.0.0.1', () => {
      const headers = forwardedHeaders(request);
      const lines = headers.flatMap((name, index) =>
        index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : [],
      );
      const requestLine = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1`;
      appSocket.write(`${[requestLine, ...lines].join('\r\n')}\r\n\r\n`);
      appSocket.write(head);
      appSocket.pipe(socket);
      socket.pipe(appSocket);
    });
    for (const [side, otherSide] of [
      [socket, appSocket],
      [appSocket, socket],
    ] as const) {
      side.once('error', () => otherSide.destroy());
      side.once('close', () => otherSide.destroy());
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
