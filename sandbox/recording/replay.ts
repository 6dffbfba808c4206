import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createServer as createPlainServer, type RequestListener, type Server } from 'node:http';
import { createServer } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { HarEntry, HarPair } from './har.js';
import { maskedBody } from './masking.js';
import { RecordedCalls } from './recorded-calls.js';
import { maskPath } from '../console/activity.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** Options of {@link replay}. */
export interface ReplayOptions {
  /** The text of a HAR file. */
  readonly har: string;
  /** Its name in messages. */
  readonly file: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Absent: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A recording that answers. */
export interface RunningReplay {
  /** `https://localhost:41234`. */
  readonly origin: string;
  /** How many different requests it answers. */
  readonly requests: number;
  close(): Promise<void>;
}

/**
 * Answers requests on this machine from a recording, without any service behind: links in answers
 * lead back to it, and a request that was not recorded is 501.
 *
 * @throws CAS4024 for a file that is no recording, CAS4014 for a port that is taken.
 */
export async function replay({ har, file, port, tls }: ReplayOptions): Promise<RunningReplay> {
  const calls = new RecordedCalls(har, file);
  let origin = '';
  const listener: RequestListener = (request, response) => {
    const { method = 'GET', url: sent = '/', headers } = request;
    textOf(request)
      .then((body) => {
        const url = maskPath(sent);
        const type = headers['content-type'] ?? '';
        const masked = maskedBody(body, type, url)?.text;
        const entry = calls.next({
          method,
          url,
          ...omitUndefined({ body: masked }),
        });
        const {
          status,
          headers: answered,
          body: text,
        } = entry === undefined
          ? notRecorded({ method, url, file, known: calls.ofPath(url) })
          : answerOf(entry, origin);
        response.writeHead(status, answered).end(method === 'HEAD' ? undefined : text);
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

interface ReplayedAnswer {
  readonly status: number;
  readonly headers: Record<string, string | string[]>;
  readonly body: string;
}

/** Headers that belong to the recorded connection or body. */
const ofConnection =
  /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date)$/i;

function answerOf({ request, response }: HarEntry, origin: string): ReplayedAnswer {
  const recorded = new URL(request.url, origin).origin;
  const here = (text: string): string => text.replaceAll(recorded, origin);
  const headers: Record<string, string | string[]> = {};
  for (const { name, value } of (response.headers ?? []) as readonly HarPair[])
    if (!ofConnection.test(name)) headers[name.toLowerCase()] = here(value);
  return { status: response.status, headers, body: here(response.content?.text ?? '') };
}

function notRecorded(asked: {
  readonly method: string;
  readonly url: string;
  readonly file: string;
  readonly known: readonly string[];
}): ReplayedAnswer {
  const { method, url, file, known } = asked;
  const message = `${method} ${url} is not recorded in ${file}. ${known.length === 0 ? 'Nothing of its path is.' : `Of its path: ${known.join(', ')}.`}`;
  return {
    status: 501,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ error: { code: 'NotRecorded', message } }),
  };
}
