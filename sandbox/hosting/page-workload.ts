import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SandboxTracer } from '../tracing/tracer.js';
import type { Workload } from './workload.js';
import { groupIdsOf, type ReceivedRequest, requestPage } from './request-page.js';
import type { Dialect } from '../../core/dialect/dialect.js';
import { contentSecurityPolicy } from '../html.js';

/** How many of a person's groups the page names: each is a request to the directory. */
const maxNamedGroups = 50;

/** The page's access to the sandbox. */
export interface PageContext {
  /** The app's name. */
  readonly app: string;
  /** Why the app itself is not running. */
  readonly reason: string;
  /** That of the headers that say who is signed in. */
  readonly dialect: Dialect;
  /** The path below which the app's sign-in layer answers now; undefined if it declares none. */
  signInPrefix(): string | undefined;
  readonly tracer?: SandboxTracer | undefined;
  /** Called for each request. */
  onRequest(request: ReceivedRequest): void;
  /** The name of a group; undefined for one that is not in the directory. */
  groupName(id: string): Promise<string | undefined>;
}

/**
 * The page that replaces an app that cannot run here: it shows the request as the app would receive
 * it.
 */
export async function startPage(context: PageContext): Promise<Workload> {
  const server = createServer((request, response) => {
    request.resume();
    const received = toReceivedRequest(request);
    const span = context.tracer?.start(
      context.app,
      `${received.method} ${pathOf(received)}`,
      { 'url.path': pathOf(received) },
      headerOf(received, 'traceparent'),
    );
    if (span !== undefined) response.once('finish', () => span.end(response.statusCode));
    context.onRequest(received);
    if (!(request.headers.accept ?? '').includes('text/html')) {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.end(
        request.method === 'HEAD'
          ? undefined
          : `${JSON.stringify({ app: context.app, ...received }, undefined, 2)}\n`,
      );
      return;
    }
    pageFor(context, received)
      .then((page) => {
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': contentSecurityPolicy,
          'cache-control': 'no-store',
        });
        response.end(request.method === 'HEAD' ? undefined : page);
      })
      .catch((error: Error) => response.destroy(error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    isReady: () => true,
    failure: () => undefined,
    unreadyReason: () => undefined,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function pageFor(context: PageContext, request: ReceivedRequest): Promise<string> {
  const { app, reason, dialect } = context;
  const ids = [...new Set(groupIdsOf(request, dialect))].slice(0, maxNamedGroups);
  // If the directory does not answer, the page only lacks the names of groups.
  const names = await Promise.all(
    ids.map(async (id) => [id, await context.groupName(id).catch(() => undefined)] as const),
  );
  const groupNames = new Map(
    names.flatMap(([id, name]) => (name === undefined ? [] : [[id, name] as const])),
  );
  const signInPrefix = context.signInPrefix();
  return requestPage({ app, reason, dialect, signInPrefix, request, groupNames });
}

function headerOf({ headers }: ReceivedRequest, name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

function pathOf({ path }: ReceivedRequest): string {
  return path.split('?', 1)[0] ?? path;
}

function toReceivedRequest(request: IncomingMessage): ReceivedRequest {
  const headers: [string, string][] = [];
  for (let index = 0; index < request.rawHeaders.length; index += 2)
    headers.push([request.rawHeaders[index] as string, request.rawHeaders[index + 1] as string]);
  return { method: request.method ?? 'GET', path: request.url ?? '/', headers };
}
