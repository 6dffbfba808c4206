import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A body that could not be understood; fastify answers with the status, each service in its own error shape. */
export class BodyError extends Error {
  readonly statusCode = 400;
}

/**
 * Parses what real clients send: JSON under any content type with any parameters, an empty body as no body, text as text, anything
 * else as bytes. A content type that the service already parses in its own way is left alone.
 *
 * @param own adds the service's routes and its own parsers to the scope.
 */
export async function withTolerantParsers(scope: FastifyInstance, own: () => void | Promise<void>): Promise<void> {
  scope.removeAllContentTypeParsers();
  // First, because fastify can't tell whether "*" is there: the service's own one replaces it.
  add(scope, '*', parseAnything);
  await own();
  addRest(scope);
}

/** The same for a server's root, where nothing else parses bodies. */
export function addTolerantParsers(root: FastifyInstance): void {
  root.removeAllContentTypeParsers();
  add(root, '*', parseAnything);
  addRest(root);
}

function addRest(scope: FastifyInstance): void {
  add(scope, 'application/json', parseJson);
  add(scope, /^application\/(.+\+)?json/, parseJson);
  add(scope, /^text\//, (body) => body.toString('utf8'));
  add(scope, 'application/x-www-form-urlencoded', (body) => Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
}

function add(scope: FastifyInstance, contentType: string | RegExp, parse: (body: Buffer, request: FastifyRequest) => unknown): void {
  if (scope.hasContentTypeParser(contentType)) return;
  scope.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(body as Buffer, request));
    } catch (error) {
      done(error as Error);
    }
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    // A "__proto__" key is dropped rather than followed: it can't become a property of anything that the body is merged into.
    return text.includes('__proto__') ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch (error) {
    throw new BodyError(`The request body is not valid JSON: ${(error as Error).message}`);
  }
}

function withoutPrototype(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function parseAnything(body: Buffer, request: FastifyRequest): unknown {
  if (body.length === 0) return undefined;
  // No content type at all: what looks like JSON is JSON.
  return request.headers['content-type'] === undefined && /^\s*[[{"]/.test(body.toString('utf8', 0, 64)) ? parseJson(body) : body;
}
