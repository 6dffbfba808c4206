import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Page } from '../pages/theme.js';
import { abortAnswer, endIncomplete, writeHead, hasBody, isHttp2 } from './message.js';
import { headerLines } from './raw-headers.js';
import type { ScrubbedHeaders } from './request-headers.js';

/**
 * An answer of the sidecar itself, before it is written to a response or, for a refused handshake,
 * to a socket.
 */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
  /** Closes the connection afterwards. */
  readonly close: boolean;
  /** Who sent the request that it admits, for the access log. */
  readonly sender?: AccessSender | undefined;
}

/** The sender of a request in the access log. */
export interface AccessSender {
  readonly via: 'cookie' | 'header' | 'bearer';
  /** The provider's path word. */
  readonly provider: string;
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

type Extra = Readonly<Record<string, string | readonly string[]>>;

function withExtra(headers: readonly string[], extra: Extra): string[] {
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
  { html, policy }: Page,
  extra: Extra = {},
  close = false,
): Answer {
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Security-Policy',
    policy,
    'X-Frame-Options',
    'DENY',
  ];
  return { status, headers: withExtra(headers, extra), body: html, close };
}

/** A JSON answer. */
export function jsonAnswer(
  status: number,
  body: unknown,
  extra: Extra = {},
  close = false,
): Answer {
  return {
    status,
    headers: withExtra(['Content-Type', 'application/json; charset=utf-8'], extra),
    body: `${JSON.stringify(body)}\n`,
    close,
  };
}

/** A redirect by GET. */
export function redirectAnswer(location: string, extra: Extra = {}, status = 302): Answer {
  return emptyAnswer(status, { Location: location, ...extra });
}

/** An answer without a body. */
export function emptyAnswer(status: number, extra: Extra): Answer {
  return { status, headers: withExtra([], extra), body: '', close: false };
}

/** Connections that close after an answer of the sidecar itself. */
const closing = new WeakSet<Duplex>();

/**
 * Whether a connection closes after an answer that was already given. Bytes after the answered
 * request are no request (RFC 9112, 9.6): after a framing error they may be the refused request's
 * own body.
 */
export function isClosing(socket: Duplex): boolean {
  return closing.has(socket);
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
  const unread = !inbound.complete && hasBody(inbound);
  const length = String(Buffer.byteLength(answer.body));
  const headers = [...answer.headers, 'Content-Length', length];
  if ((answer.close || unread) && !isHttp2(inbound)) {
    closing.add(inbound.socket);
    headers.push('Connection', 'close');
  }
  writeHead(outbound, answer.status, STATUS_CODES[answer.status] ?? '', headers);
  const body = inbound.method === 'HEAD' ? '' : answer.body;
  if (unread) endWithLingeringClose(inbound, outbound, body);
  else outbound.end(body);
}

/** How long, and how many bytes, of the rest of a request are read after an early answer. */
const lingering = { milliseconds: 1000, bytes: 8 * 1024 * 1024 };

/**
 * Finishes an answer given before the end of its request. If the connection were closed while the
 * client still sends, it would be reset, and the client might not get the answer: so the rest is
 * read and discarded for a while.
 */
export function endWithLingeringClose(
  inbound: IncomingMessage,
  outbound: ServerResponse,
  last: string | Buffer,
): void {
  if (isHttp2(inbound)) {
    endIncomplete(outbound, last);
    return;
  }
  if (last.length > 0) outbound.write(last);
  else outbound.flushHeaders();
  let bytes = 0;
  const end = (): void => {
    clearTimeout(late);
    inbound.off('data', drop);
    outbound.end();
  };
  const drop = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes > lingering.bytes) end();
  };
  const late = setTimeout(end, lingering.milliseconds);
  inbound.on('data', drop).once('end', end).once('close', end).resume();
}

/** An answer as bytes for a socket. */
export function rawAnswer(answer: Answer): string {
  const length = Buffer.byteLength(answer.body);
  const lines = headerLines([...answer.headers, 'Content-Length', String(length)]);
  const reason = STATUS_CODES[answer.status] ?? 'Refused';
  return `HTTP/1.1 ${answer.status} ${reason}\r\n${lines}Connection: close\r\n\r\n${answer.body}`;
}

/** Whether to answer a person with HTML; programs get JSON. */
export function wantsHtml(headers: { readonly accept?: string | undefined } | undefined): boolean {
  return (
    headers?.accept !== undefined &&
    /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(headers.accept)
  );
}

/**
 * Whether a request is a browser's navigation, which may be redirected to a sign-in page. Scripts,
 * native apps and other programs get 401, since they could not use the page.
 */
export function isNavigation(method: string, headers: ScrubbedHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.requestedWith !== undefined) return false;
  if (headers.fetchMode !== undefined)
    return headers.fetchMode === 'navigate' && (headers.fetchDest ?? 'document') === 'document';
  if (wantsHtml(headers)) return true;
  return (
    isBrowser(headers) &&
    (headers.accept === undefined || /\*\/\*/.test(headers.accept)) &&
    headers.origin === undefined
  );
}

/** Whether a request comes from a browser, by its headers. */
export function isBrowser(headers: ScrubbedHeaders): boolean {
  return (
    /^(Mozilla|Opera)\//.test(headers.userAgent ?? '') ||
    headers.fetchSite !== undefined ||
    headers.fetchMode !== undefined
  );
}
