import { parseList, trimWhitespace } from '../http/field-value.js';
import { filterHeaders } from '../http/raw-headers.js';
import { isSidecarCookie } from '../session/cookies.js';

/** How a response's body ends. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** Ends with the connection. */
  | { readonly kind: 'close' };

/** A response's checked status line and headers, without those of the connection. */
export interface ResponseHead {
  readonly status: number;
  /** The reason phrase of the status line. */
  readonly reason: string;
  /** Names and values in turn, as sent. */
  readonly headers: string[];
  readonly framing: Framing;
  /** Whether the connection can carry another request after this response. */
  readonly isReusable: boolean;
  /** Value of `Upgrade`, on 101 answers. */
  readonly upgrade: string | undefined;
}

/** The upstream sent something that is not HTTP, or ambiguous. */
export class MalformedResponse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedResponse';
  }
}

/**
 * Checks the characters of the whole head at once: no folding, no bare line endings, no space
 * before a colon, no control characters.
 */
const wellFormedHead =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t -~\u0080-\u00ff]*)?\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t -~\u0080-\u00ff]*\r\n)*$/;
const noBody: Framing = { kind: 'none' };
const untilClose: Framing = { kind: 'close' };
const chunkedFraming: Framing = { kind: 'chunked' };
/**
 * Options of `Connection` that remove no header: those of the connection itself, and headers that
 * stay.
 */
const retainedOptions = new Set([
  'close',
  'keep-alive',
  'upgrade',
  'content-length',
  'set-cookie',
  'content-type',
]);

/**
 * Parses a response head strictly: no folding, no bare line endings, one framing.
 *
 * @param text status line and headers, each with its line ending, one character per byte.
 * @param method of the request: an answer to HEAD has no body.
 * @throws MalformedResponse
 */
export function parseHead(text: string, method: string): ResponseHead {
  if (!wellFormedHead.test(text)) throw new MalformedResponse('the head');
  const isHttp11 = text.startsWith('HTTP/1.1');
  const status = Number(text.slice(9, 12));
  const hasNoBody = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const keepsLength = status >= 200 && status !== 204;
  let length: number | undefined;
  let isChunked = false;
  let connection = '';
  let upgrade: string | undefined;
  const headers: string[] = [];
  const headersStart = text.indexOf('\n') + 1;
  for (let start = headersStart; start < text.length;) {
    const colon = text.indexOf(':', start);
    const end = text.indexOf('\r', colon);
    const name = text.slice(start, colon);
    const value = trimWhitespace(text.slice(colon + 1, end));
    start = end + 2;
    switch (name.length > maxSpecialLength ? '' : name.toLowerCase()) {
      case 'keep-alive':
      case 'proxy-connection':
      case 'trailer':
        continue;
      case 'upgrade':
        upgrade = value;
        continue;
      case 'connection':
        connection += `${connection === '' ? '' : ','}${value}`;
        continue;
      case 'set-cookie':
        if (setsSidecarCookie(value)) continue;
        break;
      case 'content-length':
        if (length !== undefined || !/^\d{1,15}$/.test(value))
          throw new MalformedResponse('the content length');
        length = Number(value);
        if (!keepsLength) continue;
        break;
      case 'transfer-encoding':
        if (isChunked || !isHttp11 || value.toLowerCase() !== 'chunked')
          throw new MalformedResponse('the transfer encoding');
        isChunked = true;
        continue;
    }
    headers.push(name, value);
  }
  if (isChunked && length !== undefined)
    throw new MalformedResponse('both a content length and a transfer encoding');
  const framing: Framing = hasNoBody
    ? noBody
    : isChunked
      ? chunkedFraming
      : length === undefined
        ? untilClose
        : { kind: 'length', length };
  const connectionOptions =
    connection === '' || connection === 'keep-alive' ? [] : parseList(connection.toLowerCase());
  return {
    status,
    reason: text.slice(13, headersStart - 2),
    headers: dropConnectionHeaders(headers, connectionOptions),
    framing,
    isReusable: isHttp11 && framing.kind !== 'close' && !connectionOptions.includes('close'),
    upgrade,
  };
}

/** The longest name that {@link parseHead} looks for. */
const maxSpecialLength = 'transfer-encoding'.length;

/**
 * Whether a `Set-Cookie` value sets a cookie of the sidecar's. Browsers return a cookie without a
 * name as its bare value.
 */
export function setsSidecarCookie(value: string): boolean {
  return isSidecarCookie(value.replace(/^[ \t=]+/, ''));
}

const trailerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):([\t -~\u0080-\u00ff]*)$/;
/** Fields that frame, route or describe a message, or sign somebody in (RFC 9110, 6.5.1). */
const headOnlyFields =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-.*|host|set-cookie|location|authorization|www-authenticate|cache-control|date|expires|vary|strict-transport-security|access-control-.*)$/i;

/** Whether a field may not come after the body. */
export function belongsInHead(name: string): boolean {
  return headOnlyFields.test(name);
}

/**
 * Parses one line of the trailers. @returns name and value; nothing for a field that only a head
 * may have. @throws MalformedResponse
 */
export function parseTrailer(line: string): [] | [name: string, value: string] {
  const [, name, value = ''] = trailerLine.exec(line) ?? [];
  if (name === undefined) throw new MalformedResponse('a trailer');
  return belongsInHead(name) ? [] : [name, trimWhitespace(value)];
}

/** Headers without those listed in the response's own `Connection`, except what the message needs. */
function dropConnectionHeaders(headers: string[], connectionOptions: readonly string[]): string[] {
  const droppedNames = connectionOptions.filter((each) => !retainedOptions.has(each));
  if (droppedNames.length === 0) return headers;
  return filterHeaders(headers, (name) => !droppedNames.includes(name.toLowerCase()));
}
