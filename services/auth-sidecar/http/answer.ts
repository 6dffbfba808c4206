import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Page } from '../pages/theme.js';
import { abortAnswer, endHttp2Early, writeHead, hasBody, isHttp2 } from './message.js';
import { headerLines } from './raw-headers.js';

/**
 * An answer of the sidecar itself. It is written to a response or, for a refused WebSocket handshake,
 * to the socket.
 */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Whether the connection is closed afterwards. */
  readonly closesConnection: boolean;
  /** The sender of the request, if the answer admits it, for the access log. */
  readonly sender?: AccessSender | undefined;
}

/** The sender of a request in the access log. */
export interface AccessSender {
  /** The session cookie, a session token in the session header, or a provider's bearer token. */
  readonly via: 'cookie' | 'header' | 'bearer';
  /** The provider's name in paths. */
  readonly provider: string;
  /** The `id` of the identity. */
  readonly user: string;
}

const fixedHeaders = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
];

/** More headers of an answer, by name. */
export type ExtraHeaders = Readonly<Record<string, string | readonly string[]>>;

function withFixedHeaders(headers: readonly string[], extra: ExtraHeaders): string[] {
  return [
    ...fixedHeaders,
    ...headers,
    ...Object.entries(extra).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => [name, each]),
    ),
  ];
}

/** An HTML answer. */
export function htmlAnswer(
  status: number,
  { html, contentSecurityPolicy: policy }: Page,
  extra: ExtraHeaders = {},
  closesConnection = false,
): Answer {
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Security-Policy',
    policy,
    'X-Frame-Options',
    'DENY',
  ];
  return { status, headers: withFixedHeaders(headers, extra), body: html, closesConnection };
}

/** A JSON answer. */
export function jsonAnswer(
  status: number,
  body: unknown,
  extra: ExtraHeaders = {},
  closesConnection = false,
): Answer {
  return {
    status,
    headers: withFixedHeaders(['Content-Type', 'application/json; charset=utf-8'], extra),
    body: `${JSON.stringify(body)}\n`,
    closesConnection,
  };
}

/** A redirect by GET. */
export function redirectAnswer(location: string, extra: ExtraHeaders = {}, status = 302): Answer {
  return emptyAnswer(status, { Location: location, ...extra });
}

/** An answer without a body. */
export function emptyAnswer(status: number, extra: ExtraHeaders): Answer {
  return { status, headers: withFixedHeaders([], extra), body: '', closesConnection: false };
}

/** Connections on which an answer announced that they close. */
const closingConnections = new WeakSet<Duplex>();

/**
 * Whether an answer has announced that the connection closes. Later bytes must not be read as a
 * request (RFC 9112, 9.6): after a framing error they may be the body of the refused request.
 */
export function isClosing(socket: Duplex): boolean {
  return closingConnections.has(socket);
}

/**
 * Writes an answer. A request with an unread body closes its connection: the rest must not be
 * parsed as the next request.
 */
export function sendAnswer(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  answer: Answer,
): void {
  if (outbound.headersSent || outbound.destroyed) {
    abortAnswer(outbound);
    return;
  }
  const isBodyUnread = !inbound.complete && hasBody(inbound);
  const length = String(Buffer.byteLength(answer.body));
  const headers = [...answer.headers, 'Content-Length', length];
  if ((answer.closesConnection || isBodyUnread) && !isHttp2(inbound)) {
    closingConnections.add(inbound.socket);
    headers.push('Connection', 'close');
  }
  writeHead(outbound, answer.status, STATUS_CODES[answer.status] ?? '', headers);
  const body = inbound.method === 'HEAD' ? '' : answer.body;
  if (isBodyUnread) endWithLingeringClose(inbound, outbound, body);
  else outbound.end(body);
}

/** How long and how many bytes of a request are read and discarded after an early answer. */
const lingerLimits = { milliseconds: 1000, bytes: 8 * 1024 * 1024 };

/**
 * Finishes an answer given before the end of its request. If the connection were closed while the
 * client still sends, it would be reset, and the client might not get the answer: so the rest is
 * read and discarded for a while.
 */
export function endWithLingeringClose(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  lastChunk: string | Buffer,
): void {
  if (isHttp2(inbound)) {
    endHttp2Early(outbound, lastChunk);
    return;
  }
  if (lastChunk.length > 0) outbound.write(lastChunk);
  else outbound.flushHeaders();
  let bytes = 0;
  const end = (): void => {
    clearTimeout(deadline);
    inbound.off('data', discard);
    outbound.end();
  };
  const discard = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingerLimits.bytes) end();
  };
  const deadline = setTimeout(end, lingerLimits.milliseconds);
  inbound.on('data', discard).once('end', end).once('close', end).resume();
}

/**
 * Writes an answer to a socket that the HTTP server no longer reads, and closes it: at once when the
 * client does, otherwise after a second, because no timeout of the server applies to it.
 */
export function sendToSocket(socket: Duplex, answer: Answer): void {
  closingConnections.add(socket);
  const deadline = setTimeout(() => socket.destroy(), lingerLimits.milliseconds);
  socket.once('close', () => clearTimeout(deadline));
  socket.resume(); // a socket that is not read does not notice that the client closes it
  socket.end(serializeAnswer(answer));
}

/** An answer as HTTP/1.1 text for a socket, which closes afterwards. */
function serializeAnswer(answer: Answer): string {
  const length = Buffer.byteLength(answer.body);
  const lines = headerLines([...answer.headers, 'Content-Length', String(length)]);
  const reason = STATUS_CODES[answer.status] ?? 'Refused';
  return `HTTP/1.1 ${answer.status} ${reason}\r\n${lines}Connection: close\r\n\r\n${answer.body}`;
}
