import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Workload } from './workload.js';
import type { ReceivedRequest } from './request-page.js';
import { requestPage } from './request-page.js';
import { contentSecurityPolicy } from '../html.js';

/** The page that stands in for an app that can't be run here: it shows the request as the app would have received it. */
export async function startPage(
  app: string,
  why: string,
  dialect: 'neutral' | 'azure',
  withAuth: () => boolean,
  onRequest: (request: ReceivedRequest) => void,
): Promise<Workload> {
  const server = createServer((request, response) => {
    request.resume();
    onRequest(received(request));
    if ((request.headers.accept ?? '').includes('text/html')) {
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy,
        'cache-control': 'no-store',
      });
      response.end(
        request.method === 'HEAD' ? undefined : requestPage({ app, why, dialect, auth: withAuth(), request: received(request) }),
      );
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : `${JSON.stringify({ app, ...received(request) }, undefined, 2)}\n`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    failure: () => undefined,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function received(request: IncomingMessage): ReceivedRequest {
  const headers: [string, string][] = [];
  for (let at = 0; at < request.rawHeaders.length; at += 2)
    headers.push([request.rawHeaders[at] as string, request.rawHeaders[at + 1] as string]);
  return { method: request.method ?? 'GET', path: request.url ?? '/', headers };
}
