import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import packageJson from '../../package.json';
import { type CollectedBody, collectBody } from '../console/collect-body.js';
import { maskPath } from '../console/mask-secrets.js';
import type { HarEntry } from './har.js';
import { maskedBody, maskedHeaders } from './masking.js';

/** The end of the JSON of a HAR file, after its entries. */
const harEnd = '\n]}}\n';

/** The file that a recorder writes at the moment. */
export interface RecordingStatus {
  /** The file that is written; absent while nothing is recorded. */
  readonly file?: string;
  /** The number of calls in it. */
  readonly calls: number;
}

/**
 * Records the calls of a server in a file of the format HAR 1.2, with masked secrets. The file is
 * complete after each call, so that it can be read while it grows, and after a crash.
 */
export class Recorder {
  #recording:
    | { readonly file: string; readonly descriptor: number; length: number; calls: number }
    | undefined;

  /**
   * Starts a file, in place of an earlier one, which goes on where the new one can't be written.
   *
   * @param file its absolute path; an existing file is replaced
   * @throws CAS4024 when it can't be written.
   */
  start(file: string): RecordingStatus {
    if (this.#recording?.file === file) this.stop(); // its file is replaced
    const creator = { name: packageJson.name, version: packageJson.version };
    const harStart = `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(file, 'w', 0o600);
      writeAll(descriptor, harStart + harEnd, 0);
      this.stop();
      this.#recording = { file, descriptor, length: Buffer.byteLength(harStart), calls: 0 };
    } catch (cause) {
      if (descriptor !== undefined) closeSync(descriptor);
      throw new CastellanError('CAS4024', `${file} can't be written: ${(cause as Error).message}`, {
        cause,
      });
    }
    return this.status();
  }

  /** Ends the recording. @returns its file and number of calls */
  stop(): RecordingStatus {
    const status = this.status();
    if (this.#recording !== undefined) closeSync(this.#recording.descriptor);
    this.#recording = undefined;
    return status;
  }

  status(): RecordingStatus {
    return {
      calls: this.#recording?.calls ?? 0,
      ...omitUndefined({ file: this.#recording?.file }),
    };
  }

  /**
   * Records the calls of a server while a file is open; called before its services are mounted. A
   * call that can't be written, as on a full disk, ends the recording, whose file stays complete.
   *
   * @param options `isExcluded`: whether a request is left out, by default none is.
   */
  attach(
    app: FastifyInstance,
    { isExcluded = () => false }: { isExcluded?: (request: FastifyRequest) => boolean } = {},
  ): void {
    app.addHook('onRequest', (request, reply, done) => {
      if (this.#recording !== undefined && !isExcluded(request)) {
        const startedAt = new Date();
        const start = performance.now();
        const collectedBody = collectBody(reply.raw);
        reply.raw.once('finish', () => {
          try {
            const milliseconds = performance.now() - start;
            this.#add(entryOf(request, reply, collectedBody(), startedAt, milliseconds));
          } catch (error) {
            request.log.error({ err: error, ...this.stop() }, 'the recording was ended');
          }
        });
      }
      done();
    });
  }

  #add(entry: HarEntry): void {
    const recording = this.#recording;
    if (recording === undefined) return;
    const text = `${recording.calls === 0 ? '' : ','}\n${JSON.stringify(entry)}`;
    try {
      writeAll(recording.descriptor, text + harEnd, recording.length);
    } catch (error) {
      ftruncateSync(recording.descriptor, recording.length);
      writeAll(recording.descriptor, harEnd, recording.length);
      throw error;
    }
    recording.length += Buffer.byteLength(text);
    recording.calls++;
  }
}

/** Writes a text at a position of a file. @throws Error of the system, when part may be written */
function writeAll(descriptor: number, text: string, position: number): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;)
    written += writeSync(descriptor, bytes, written, bytes.length - written, position + written);
}

/** The address of a request; at `localhost` if its Host is no host. @param path with the query */
function absoluteUrl({ protocol, headers }: FastifyRequest, path: string): URL {
  const origin = `${protocol}://${headers.host ?? ''}`;
  const base = URL.canParse(origin) ? origin : `${protocol}://localhost`;
  // appended, since `//name` relative to the origin would be another host
  return new URL(`${base}${path.startsWith('/') ? '' : '/'}${path}`);
}

function entryOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, byteLength }: CollectedBody,
  startedAt: Date,
  milliseconds: number,
): HarEntry {
  const path = maskPath(request.originalUrl);
  const url = absoluteUrl(request, path);
  const wait = Math.round(milliseconds * 10) / 10;
  // set on fastify's reply, or by code that writes the response itself
  const responseHeaders: Readonly<Record<string, unknown>> = {
    ...reply.raw.getHeaders(),
    ...reply.getHeaders(),
  };
  const mimeType = String(responseHeaders['content-type'] ?? '');
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
      headers: maskedHeaders(responseHeaders),
      content: {
        size: byteLength,
        ...(text === undefined
          ? { mimeType, comment: 'too long: not recorded' }
          : (maskedBody(text, mimeType, path) ?? { mimeType })),
      },
      redirectURL: maskPath(String(responseHeaders['location'] ?? '')),
      headersSize: -1,
      bodySize: byteLength,
    },
    cache: {},
    timings: { send: 0, wait, receive: 0 },
  };
}
