import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
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
  for (const [name, values] of http2Fields(headers))
    for (const value of values) outbound.appendHeader(name, value);
}

/** Whether a client can be sent a status, by the version of HTTP that it uses. */
export function isSendableStatus(inbound: IncomingMessage, status: number): boolean {
  return status >= 100 && status <= (isHttp2(inbound) ? 599 : 999);
}

/** Fields that HTTP/2 does not have, because they belong to one connection (RFC 9113, 8.2.2). */
const connectionFields = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Fields of which Node sends one value only by HTTP/2: it throws an error for a second one. */
const http2SingleFields = new Set([
  'access-control-allow-credentials',
  'access-control-max-age',
  'access-control-request-method',
  'age',
  'authorization',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'date',
  'dnt',
  'etag',
  'expires',
  'from',
  'host',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'range',
  'referer',
  'retry-after',
  'tk',
  'upgrade-insecure-requests',
  'user-agent',
  'x-content-type-options',
]);

/**
 * Fields of an answer as HTTP/2 can have them, by their names in lower case. Different values of a
 * field that Node sends only once are one list (RFC 9110, 5.2), and equal ones are one value.
 *
 * @param fields names and values in turn
 */
function http2Fields(fields: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const result = valuesByName(fields);
  for (const [name, values] of result)
    if (connectionFields.has(name)) result.delete(name);
    else if (http2SingleFields.has(name)) result.set(name, [[...new Set(values)].join(', ')]);
  return result;
}

/** The values of fields by their names in lower case. @param fields names and values in turn */
function valuesByName(fields: readonly string[]): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (let index = 0; index < fields.length; index += 2) {
    const name = (fields[index] as string).toLowerCase();
    const value = fields[index + 1] as string;
    const values = result.get(name);
    if (values === undefined) result.set(name, [value]);
    else values.push(value);
  }
  return result;
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
  const isByHttp2 = (outbound as unknown) instanceof Http2ServerResponse;
  const fields = isByHttp2 ? http2Fields(trailers) : valuesByName(trailers);
  if (fields.size > 0) outbound.addTrailers(Object.fromEntries(fields) as OutgoingHttpHeaders);
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
