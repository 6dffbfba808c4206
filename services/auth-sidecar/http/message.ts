import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { filterHeaders, headerValues } from './raw-headers.js';
import { Refusal } from './refusal.js';

/** Whether a request came by HTTP/2, where other requests share its connection. */
export function isHttp2(inbound: IncomingMessage): boolean {
  return (inbound as unknown) instanceof Http2ServerRequest;
}

/**
 * The headers of a request, names and values in turn, in the form of HTTP/1.1: for HTTP/2 with `Host`,
 * and with `Transfer-Encoding: chunked` where a body has no length.
 *
 * @throws Refusal 400 when `:authority` and `Host` differ
 */
export function rawHeadersOf(inbound: IncomingMessage): readonly string[] {
  const request: unknown = inbound;
  if (!(request instanceof Http2ServerRequest)) return inbound.rawHeaders;
  const { rawHeaders, authority } = request;
  const headers = filterHeaders(rawHeaders, (name) => !name.startsWith(':'));
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
 * Writes the status line and headers of an answer. By HTTP/2 Node sends them with the first part of
 * the body or its end, so that an answer without a body is one frame.
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
 * Forwards the links of early hints (103), except to clients of HTTP/1.0, which has no such status.
 *
 * @param headers names and values in turn
 */
export function writeEarlyHints(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  headers: readonly string[],
): void {
  const link = headerValues(headers, 'link');
  if (link.length === 0 || inbound.httpVersion === '1.0') return;
  try {
    outbound.writeEarlyHints({ link });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // Node refuses headers that are not one well-formed link
  }
}

/**
 * Sets the trailer fields of an answer, which Node does not send to HTTP/1.0 clients.
 *
 * @param trailers names and values in turn
 */
export function writeTrailers(outbound: ServerResponse, trailers: readonly string[]): void {
  const fields = new Map<string, string[]>();
  for (let index = 0; index < trailers.length; index += 2) {
    const name = (trailers[index] as string).toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), trailers[index + 1] as string]);
  }
  if (fields.size > 0) outbound.addTrailers(Object.fromEntries(fields));
}

/** Closes an answer so that the client can tell that it is incomplete. */
export function abortAnswer(outbound: ServerResponse): void {
  const response: unknown = outbound;
  if (response instanceof Http2ServerResponse)
    response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outbound.destroy();
}

/**
 * Ends an HTTP/2 answer before its request is complete, and tells the client not to send the rest.
 */
export function endHttp2Early(outbound: ServerResponse, lastChunk: string | Buffer): void {
  const { stream } = outbound as unknown as Http2ServerResponse;
  outbound.end(lastChunk, () => stream.close(constants.NGHTTP2_NO_ERROR));
}
