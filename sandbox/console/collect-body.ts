import type { ServerResponse } from 'node:http';

/** In bytes: a longer body is not parsed. */
export const maxParsedBytes = 1_000_000;

/** The body of a response. */
export interface CollectedBody {
  /** Its text; undefined if it is longer than what is parsed. */
  readonly text: string | undefined;
  /** How long it is, in bytes. */
  readonly byteLength: number;
}

/**
 * Collects everything that is written to a response, by fastify or by services themselves.
 *
 * @returns a function that returns the body, after the response has ended.
 */
export function collectBody(response: ServerResponse): () => CollectedBody {
  let chunks: Buffer[] = [];
  let byteLength = 0;
  const collect = (chunk: unknown, encoding: unknown): void => {
    if (!(typeof chunk === 'string' || chunk instanceof Uint8Array)) return;
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk);
    byteLength += bytes.length;
    if (byteLength > maxParsedBytes) chunks = [];
    else chunks.push(bytes);
  };
  const { write, end } = response;
  response.write = function (this: ServerResponse, ...parameters: unknown[]) {
    collect(parameters[0], parameters[1]);
    return write.apply(this, parameters as never);
  };
  response.end = function (this: ServerResponse, ...parameters: unknown[]) {
    collect(parameters[0], parameters[1]);
    return end.apply(this, parameters as never);
  };
  return () => ({
    text: byteLength > maxParsedBytes ? undefined : Buffer.concat(chunks).toString(),
    byteLength,
  });
}
