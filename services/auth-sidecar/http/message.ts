import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
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
  const headers = rawHeaders.filter(
    (_, index) => !(rawHeaders[index - (index % 2)] as string).startsWith(':'),
  );
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
  const { 'content-length': length, 'transfer-encoding': encoding } = inbound.headers;
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Gives Node the head of an answer. By HTTP/2 it is sent with the first part of the body, or its
 * end: an answer without a body is one frame.
 *
 * @param headers names and values in turn
 */
export function giveHead(
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

/** Closes an answer so that the client sees that it isn't whole. */
export function cutOff(outbound: ServerResponse): void {
  const response: unknown = outbound;
  if (response instanceof Http2ServerResponse)
    response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else outbound.destroy();
}

/** Ends an answer whose request isn't whole; the client needn't send the rest. */
export function endStream(outbound: ServerResponse, last: string | Buffer): void {
  const { stream } = outbound as unknown as Http2ServerResponse;
  outbound.end(last, () => stream.close(constants.NGHTTP2_NO_ERROR));
}
