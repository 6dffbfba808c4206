import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { text as readText } from 'node:stream/consumers';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { HarEntry, HarPair } from './har.js';
import { maskedBody } from './masking.js';
import { RecordedCalls } from './recorded-calls.js';
import { maskPath } from '../console/mask-secrets.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** Options of {@link replay}. */
export interface ReplayOptions {
  /** The text of a HAR file. */
  readonly har: string;
  /** Its name in messages. */
  readonly file: string;
  /** The port of 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** @default plain HTTP */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A server that answers from a recording. */
export interface RunningReplay {
  /** `https://localhost:41234`. */
  readonly origin: string;
  /** How many different requests it answers. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Answers requests on this machine from a recording, without any service behind: links in answers
 * lead back to it, and a request that was not recorded gets a 501.
 *
 * @throws CAS4024 for a file that is no recording, CAS4014 for a port that is taken.
 */
export async function replay({ har, file, port, tls }: ReplayOptions): Promise<RunningReplay> {
  const calls = new RecordedCalls(har, file);
  let origin = '';
  const listener: RequestListener = (request, response) => {
    const { method = 'GET', headers } = request;
    readText(request)
      .then((text) => {
        const url = maskPath(request.url ?? '/');
        const body = maskedBody(text, headers['content-type'] ?? '', url)?.text;
        const entry = calls.next({ method, url, ...omitUndefined({ body }) });
        const replayed =
          entry === undefined
            ? notRecordedResponse({ method, url, file, recorded: calls.requestsOfPath(url) })
            : replayedResponse(entry, origin);
        response
          .writeHead(replayed.status, replayed.headers)
          .end(method === 'HEAD' ? undefined : replayed.body);
      })
      .catch((error: unknown) => response.destroy(error as Error));
  };
  const server: Server =
    tls === undefined ? createPlainServer(listener) : createServer(tls, listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new CastellanError('CAS4014', (cause as Error).message, { cause });
  });
  origin = `${tls === undefined ? 'http' : 'https'}://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    requests: calls.size,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface ReplayedResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string | Buffer;
}

/** Headers that belong to the recorded connection or body. */
const connectionHeaders =
  /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date)$/i;

/** A recorded response, with links to the recorded server changed to this one. */
function replayedResponse({ request, response }: HarEntry, origin: string): ReplayedResponse {
  const recordedOrigin = new URL(request.url, origin).origin;
  const withOrigin = (text: string): string => text.replaceAll(recordedOrigin, origin);
  const headers: Record<string, string[]> = {};
  for (const { name, value } of (response.headers ?? []) as readonly HarPair[])
    if (!connectionHeaders.test(name)) (headers[name.toLowerCase()] ??= []).push(withOrigin(value));
  const { text = '', encoding } = (response.content ?? {}) as Partial<typeof response.content>;
  const body = encoding === 'base64' ? Buffer.from(text, 'base64') : withOrigin(text);
  return { status: response.status, headers, body };
}

function notRecordedResponse({
  method,
  url,
  file,
  recorded,
}: {
  readonly method: string;
  readonly url: string;
  readonly file: string;
  /** The recorded requests to the same path. */
  readonly recorded: readonly string[];
}): ReplayedResponse {
  const hint =
    recorded.length === 0 ? 'Nothing of its path is.' : `Of its path: ${recorded.join(', ')}.`;
  const message = `${method} ${url} is not recorded in ${file}. ${hint}`;
  return {
    status: 501,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: { code: 'NotRecorded', message } }),
  };
}
