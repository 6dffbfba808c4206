import { closeSync, openSync, writeSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import packageJson from '../../package.json';
import { collectBody, maskPath } from '../console/activity.js';
import type { HarEntry } from './har.js';
import { maskedBody, maskedHeaders } from './masking.js';

const end = '\n]}}\n';

/** What a recorder does at the moment. */
export interface RecordingStatus {
  /** The file that is written; absent while nothing is recorded. */
  readonly file?: string;
  /** The number of calls in it. */
  readonly calls: number;
}

/**
 * Records the calls of a server in a file of the format HAR 1.2, secrets masked. The file is whole
 * after each call, so that it can be read while it grows, and after a crash.
 */
export class Recorder {
  #open:
    | { readonly file: string; readonly descriptor: number; length: number; calls: number }
    | undefined;

  /**
   * Starts a file, in place of an earlier one.
   *
   * @param file its absolute path; one that is there is replaced
   *
   * @throws CAS4024 when it can't be written.
   */
  start(file: string): RecordingStatus {
    this.stop();
    const creator = { name: packageJson.name, version: packageJson.version };
    const head = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
    try {
      const descriptor = openSync(file, 'w', 0o600);
      writeSync(descriptor, head + end);
      this.#open = { file, descriptor, length: Buffer.byteLength(head), calls: 0 };
    } catch (cause) {
      throw new CastellanError('CAS4024', `${file} can't be written: ${(cause as Error).message}`, {
        cause,
      });
    }
    return this.status();
  }

  /** Ends the file. */
  stop(): RecordingStatus {
    const status = this.status();
    if (this.#open !== undefined) closeSync(this.#open.descriptor);
    this.#open = undefined;
    return status;
  }

  status(): RecordingStatus {
    return { calls: this.#open?.calls ?? 0, ...omitUndefined({ file: this.#open?.file }) };
  }

  /**
   * Follows a server; called before its services are mounted.
   *
   * @param isOwn requests to leave out
   */
  attach(app: FastifyInstance, isOwn: (request: FastifyRequest) => boolean = () => false): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#open !== undefined && !isOwn(request)) {
        const [startedAt, started] = [new Date(), performance.now()];
        const text = collectBody(reply.raw);
        reply.raw.once('finish', () =>
          this.#add(entryOf(request, reply, text(), startedAt, performance.now() - started)),
        );
      }
      done();
    });
  }

  #add(entry: HarEntry): void {
    const open = this.#open;
    if (open === undefined) return;
    const text = `${open.calls === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
    writeSync(open.descriptor, text + end, open.length);
    open.length += Buffer.byteLength(text);
    open.calls++;
  }
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string,
  startedAt: Date,
  milliseconds: number,
): HarEntry {
  const path = maskPath(request.originalUrl);
  const url = new URL(path, `${request.protocol}://${request.headers.host ?? request.host}`);
  const wait = Math.round(milliseconds * 10) / 10;
  // those of a service, and those of what writes its answer itself
  const answered: Readonly<Record<string, unknown>> = {
    ...reply.raw.getHeaders(),
    ...reply.getHeaders(),
  };
  const mimeType = String(answered['content-type'] ?? '');
  const postData = maskedBody(request.body, request.headers['content-type'] ?? '', path);
  return {
    startedDateTime: startedAt.toISOString(),
    time: wait,
    request: {
      method: request.method,
      url: url.href,
      httpVersion: `HTTP/${request.raw.httpVersion}`,
      cookies: [],
      headers: maskedHeaders(request.headers),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...omitUndefined({ postData }),
      headersSize: -1,
      bodySize: Number(request.headers['content-length'] ?? -1),
    },
    response: {
      status: reply.raw.statusCode,
      statusText: STATUS_CODES[reply.raw.statusCode] ?? '',
      httpVersion: `HTTP/${request.raw.httpVersion}`,
      cookies: [],
      headers: maskedHeaders(answered),
      content: {
        size: Buffer.byteLength(answer),
        ...(maskedBody(answer, mimeType, path) ?? { mimeType }),
      },
      redirectURL: maskPath(String(answered['location'] ?? '')),
      headersSize: -1,
      bodySize: Buffer.byteLength(answer),
    },
    cache: {},
    timings: { send: 0, wait, receive: 0 },
  };
}
