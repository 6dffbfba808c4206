import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it reached the app. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  body: string;
}

/** An app that records exactly what reaches it. */
export interface RecordingApp {
  readonly url: string;
  readonly requests: RecordedRequest[];
  /** All bytes that came, over all connections. */
  bytes(): string;
  clear(): void;
  close(): Promise<void>;
}

/** @param answer answers instead of the usual JSON echo when it returns true */
export async function startRecordingApp(
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<RecordingApp> {
  const requests: RecordedRequest[] = [];
  let bytes = '';
  const server = http.createServer(
    { insecureHTTPParser: true, keepAliveTimeout: 5000, requireHostHeader: false },
    (request, response) => {
      const recorded: RecordedRequest = {
        method: request.method ?? '',
        url: request.url ?? '',
        rawHeaders: request.rawHeaders,
        headers: request.headers,
        body: '',
      };
      requests.push(recorded);
      if (answer(request, response)) return;
      request.setEncoding('latin1').on('data', (text: string) => (recorded.body += text));
      request.on('end', () => {
        const text = JSON.stringify(recorded);
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        });
        response.end(text);
      });
    },
  );
  server.maxHeadersCount = 0; // no limit: newer versions of Node refuse what is more
  server.on('connection', (socket) =>
    socket.on('data', (chunk: Buffer) => (bytes += chunk.toString('latin1'))),
  );
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bytes: () => bytes,
    clear: () => {
      requests.length = 0;
      bytes = '';
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
