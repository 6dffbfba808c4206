import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { keepNamed, valuesOf } from './raw-headers.js';
import { Refusal } from './refusal.js';

/** Whether a request came by HTTP/2, whose connection carries others beside it. */
export function isHttp2(inbound: IncomingMessage): boolean {
  return (inbound as unknown) instanceof Http2ServerRequest;
}

/**
 * Names and values of a request's headers in turn, for HTTP/2 in the words of HTTP/1.1: `Host`, and
 * chunks where a body has no length.
 *
 * @throws Refusal 400 when its authority and its host are two
 */
export function rawHeadersOf(inbound: IncomingMessage): readonly string[] {
  const request: unknown = inbound;
  if (!(request instanceof Http2ServerRequest)) return inbound.rawHeaders;
  const { rawHeaders, authority } = request;
  const headers = keepNamed(rawHeaders, (name) => !name.startsWith(':'));
  const host = request.headers.host;
  if (host === undefined) headers.push('host', authority);
  else if (authority !== '' && host !== authority)
    throw new Refusal(400, 'The request names two hosts.');
  if (hasBody(inbound) && request.headers['content-length'] === undefined)
    headers.push('transfer-encoding', 'chunked');
  return headers;
}

/** Whether a request has a body, which may still be arriving. */
export function hasBody(inbound: IncomingMessage): boolean {
  const request: unknown = inbound;
  if (request instanceof Http2ServerRequest) return !request.stream.endAfterHeaders;
  const { 'transfer-encoding': encoding, 'content-length': length } = inbound.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Gives Node the head of an answer. By HTTP/2 it is sent with the first part of the body, or its
 * end: an answer without a body is one frame.
 *
 * @param headers names and values in turn
 */
export function writeHead(
  outbound: ServerResponse,
  status: number,
  reason: string,
  headers: readonly string[],
): void {
  if (!((outbound as unknown) instanceof Http2ServerResponse)) {
    outbound.writeHead(status, reason, headers as string[]);
    return;
  }
  outbound.statusCode = status;
  for (let index = 0; index < headers.length; index += 2)
    outbound.appendHeader(headers[index] as string, headers[index + 1] as string);
}

/**
 * Passes on the links of early hints (103), which HTTP/1.0 does not know.
 *
 * @param headers names and values in turn
 */
export function writeEarlyHints(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  headers: readonly string[],
): void {
  const link = valuesOf(headers, 'link');
  if (link.length === 0 || inbound.httpVersion === '1.0') return;
  try {
    outbound.writeEarlyHints({ link });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // Node takes one well-formed link a header
  }
}

/** Gives the fields after the body, which an HTTP/1.0 client does not get. @param trailers names and values in turn */
export function writeTrailers(outbound: ServerResponse, trailers: readonly string[]): void {
  const fields = new Map<string, string[]>();
  for (let index = 0; index < trailers.length; index += 2) {
    const name = (trailers[index] as string).toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), trailers[index + 1] as string]);
  }
  if (fields.size > 0) outbound.addTrailers(Object.fromEntries(fields));
}

/** Closes an answer so that the client sees that it isn't whole. */
export function abortAnswer(outbound: ServerResponse): void {
  const response: unknown = outbound;
  if (response instanceof Http2ServerResponse)
    response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outbound.destroy();
}

/** Ends an answer whose request isn't whole; the client needn't send the rest. */
export function endIncomplete(outbound: ServerResponse, last: string | Buffer): void {
  const { stream } = outbound as unknown as Http2ServerResponse;
  outbound.end(last, () => stream.close(constants.NGHTTP2_NO_ERROR));
}
