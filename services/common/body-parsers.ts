import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isObject } from '../../core/values/is-object.js';
import { assertJsonDepth } from './json-depth.js';

/**
 * A body that could not be read; fastify answers with the status, each service in its own error
 * shape.
 */
export class BodyError extends Error {
  constructor(
    message: string,
    readonly statusCode: 400 | 413 | 415 = 400,
  ) {
    super(message);
  }
}

/**
 * Parses what real clients send: JSON under any content type with any parameters, an empty body as
 * no body, text as text, anything else as bytes. Scopes inherit this; one that needs bytes starts
 * with `removeAllContentTypeParsers()`.
 */
export function addTolerantParsers(root: FastifyInstance): void {
  root.removeAllContentTypeParsers();
  addParser(root, '*', parseAnything);
  addParser(root, 'application/json', parseJson);
  addParser(root, /^application\/(.+\+)?json/, parseJson);
  addParser(root, /^text\//, (body) => body.toString('utf8'));
  addParser(root, 'application/x-www-form-urlencoded', (body) =>
    Object.fromEntries(new URLSearchParams(body.toString('utf8'))),
  );
}

function addParser(
  scope: FastifyInstance,
  contentType: string | RegExp,
  parse: (body: Buffer, request: FastifyRequest) => unknown,
): void {
  scope.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(body as Buffer, request));
    } catch (error) {
      done(error as Error);
    }
  });
}

/**
 * Decompresses a body that was sent with `Content-Encoding: gzip`, as Kiota's clients for Go do.
 * What is not gzip stays as it is: whoever reads it refuses it, after the caller's token is checked.
 *
 * @param limit the largest decompressed body, in bytes.
 * @param done gets a BodyError (413) for a larger one.
 */
export function decompressBody(
  { headers }: Pick<FastifyRequest, 'headers'>,
  body: Buffer,
  limit: number,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  if (headers['content-encoding']?.trim().toLowerCase() !== 'gzip') return done(null, body);
  gunzip(body, { maxOutputLength: limit }, (error, decompressed) => {
    if ((error as NodeJS.ErrnoException | null)?.code === 'ERR_BUFFER_TOO_LARGE')
      return done(new BodyError(`The request body has more than ${limit} bytes.`, 413));
    done(null, error === null ? decompressed : body);
  });
}

/** The JSON of a body; undefined for an empty one. @throws BodyError */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const text = decodeJsonText(body);
    // Only a body that may contain refused content is searched.
    return /__proto__|\\u/.test(text) ? JSON.parse(text, refuseUnsafe) : JSON.parse(text);
  } catch (error) {
    throw new BodyError(`The request body is not valid JSON: ${(error as Error).message}`);
  }
}

/** The JSON of a body; undefined for an empty one, and for one that is no JSON. */
export function tryParseJson(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}

/**
 * "__proto__" would change the object into which the body is merged; not every database can store
 * NUL and lone surrogates.
 */
function refuseUnsafe(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('a property is called __proto__');
  if ([key, value].some((text) => typeof text === 'string' && /[\u0000\p{Surrogate}]/u.test(text)))
    throw new SyntaxError('a string holds NUL or half a character');
  return value;
}

/**
 * The JSON object in a body.
 *
 * @throws BodyError 415 for another content type, 400 for anything that is not a JSON object
 */
export function parseJsonObject(
  body: Buffer,
  contentType: string | undefined,
): Record<string, unknown> {
  if (body.length === 0)
    throw new BodyError('Empty payload: unexpected end of input. JSON content expected.');
  if (contentType !== undefined && !/^\s*application\/([\w.-]+\+)?json\b/i.test(contentType))
    throw new BodyError(
      `The content type '${contentType}' is not supported: send application/json.`,
      415,
    );
  const value = parseJson(body);
  if (!isObject(value)) throw new BodyError('The request body must be a JSON object.');
  return value;
}

function parseAnything(body: Buffer, request: FastifyRequest): unknown {
  if (body.length === 0) return undefined;
  // Without a content type, text that looks like JSON is JSON.
  return request.headers['content-type'] === undefined &&
    /^\s*[[{"]/.test(body.toString('utf8', 0, 64))
    ? parseJson(body)
    : body;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a request's JSON, which is not parsed yet.
 *
 * @throws TypeError for text that is not UTF-8, SyntaxError when it nests deeper than
 *   `maxJsonDepth`.
 */
export function decodeJsonText(bytes: Buffer): string {
  const text = decoder.decode(bytes);
  assertJsonDepth(text);
  return text;
}
