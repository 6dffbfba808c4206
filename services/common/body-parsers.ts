import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A body that could not be understood; fastify answers with the status, each service in its own error shape. */
export class BodyError extends Error {
  readonly statusCode = 400;
}

/**
 * Parses what real clients send: JSON under any content type with any parameters, an empty body as no body, text as text, anything
 * else as bytes. Scopes inherit this; one that wants bytes begins with `removeAllContentTypeParsers()`.
 */
export function addTolerantParsers(root: FastifyInstance): void {
  root.removeAllContentTypeParsers();
  add(root, '*', parseAnything);
  add(root, 'application/json', parseJson);
  add(root, /^application\/(.+\+)?json/, parseJson);
  add(root, /^text\//, (body) => body.toString('utf8'));
  add(root, 'application/x-www-form-urlencoded', (body) => Object.fromEntries(new URLSearchParams(body.toString('utf8'))));
}

function add(scope: FastifyInstance, contentType: string | RegExp, parse: (body: Buffer, request: FastifyRequest) => unknown): void {
  scope.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parse(body as Buffer, request));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** The JSON of a body; undefined for an empty one. @throws BodyError */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    const text = body.toString('utf8').replace(/^\uFEFF/, '');
    assertShallow(text);
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

/** How deep the JSON of a request may nest, in levels. Services read bodies by recursion: without an end a small body would fill the stack. */
export const deepestJson = 100;

const quote = 0x22;
const backslash = 0x5c;
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Whether JSON nests deeper than {@link deepestJson}. Text that isn't JSON is left to the parser. */
export function nestsTooDeep(text: string): boolean {
  let depth = 0;
  let inside = false; // of a string
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inside) {
      if (code === backslash) index++;
      else if (code === quote) inside = false;
    } else if (code === quote) inside = true;
    else if (code === openList || code === openObject) {
      if (++depth > deepestJson) return true;
    } else if (code === closeList || code === closeObject) depth--;
  }
  return false;
}

/** @throws SyntaxError when JSON nests deeper than {@link deepestJson}. */
export function assertShallow(text: string): void {
  // Short text can't: most bodies are never looked through.
  if (text.length > deepestJson && nestsTooDeep(text)) throw new SyntaxError(`it nests deeper than ${deepestJson} levels`);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of JSON that was sent. @throws TypeError for what isn't UTF-8, SyntaxError when it nests deeper than {@link deepestJson}. */
export function textOfJson(bytes: Buffer): string {
  const text = decoder.decode(bytes);
  assertShallow(text);
  return text;
}
