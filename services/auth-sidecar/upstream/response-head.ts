import { isOwnCookie } from '../session/cookies.js';

/** How a response's body ends. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

/** A response's checked status line and headers, without those of the connection. */
export class ResponseHead {
  constructor(
    readonly status: number,
    readonly reason: string,
    /** The header lines as sent, each with its ending. */
    readonly lines: string,
    readonly framing: Framing,
    /** Whether the connection can carry another request after this response. */
    readonly reusable: boolean,
    /** Value of `Upgrade`, on 101 answers. */
    readonly upgrade: string | undefined,
    /** Whether it has a `Date`. */
    readonly hasDate: boolean,
  ) {}

  /** Names and values in turn, as sent. */
  get headers(): string[] {
    const pairs: string[] = [];
    for (let start = 0; start < this.lines.length;) {
      const end = this.lines.indexOf('\r\n', start);
      const colon = this.lines.indexOf(':', start);
      pairs.push(this.lines.slice(start, colon), trim(this.lines.slice(colon + 1, end)));
      start = end + 2;
    }
    return pairs;
  }
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
const wellFormed =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [\t -~\u0080-\u00ff]*)?\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t -~\u0080-\u00ff]*\r\n)*$/;
const none: Framing = { kind: 'none' };
const untilClose: Framing = { kind: 'close' };
const inChunks: Framing = { kind: 'chunked' };
/** Headers that stay even if `Connection` lists them. */
const carrying = new Set([
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
  if (!wellFormed.test(text)) throw new MalformedResponse('the head');
  const modern = text.charCodeAt(7) === 49; // HTTP/1.1
  const status = digits(text, 9, 12);
  const bodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  const keepsLength = !bodiless || method === 'HEAD' || status === 304;
  let length: number | undefined;
  let chunked = false;
  let hasDate = false;
  let connection = '';
  let upgrade: string | undefined;
  let lines = '';
  // Line feeds are at the ends of lines only, which was checked; searching one character is faster
  // than two.
  const first = text.indexOf('\n') + 1;
  let sliceStart = first; // start of the text that is kept and not yet in `lines`
  for (let start = first; start < text.length;) {
    const colon = text.indexOf(':', start);
    const next = text.indexOf('\n', colon) + 1;
    let drop = false;
    // Only names of these lengths matter here: others are not compared.
    switch (colon - start) {
      case 4:
        hasDate ||= isAt(text, start, 'date');
        break;
      case 7:
        drop = isAt(text, start, 'trailer');
        if (!isAt(text, start, 'upgrade')) break;
        upgrade = trim(text.slice(colon + 1, next - 2));
        drop = true;
        break;
      case 10:
        drop =
          isAt(text, start, 'keep-alive') ||
          (isAt(text, start, 'set-cookie') && setsOwnCookie(text, colon + 1, next));
        if (!isAt(text, start, 'connection')) break;
        connection += `${connection === '' ? '' : ','}${trim(text.slice(colon + 1, next - 2))}`;
        drop = true;
        break;
      case 14:
        if (!isAt(text, start, 'content-length')) break;
        drop = length !== undefined || !keepsLength;
        length = sameLength(trim(text.slice(colon + 1, next - 2)), length);
        break;
      case 16:
        drop = isAt(text, start, 'proxy-connection');
        break;
      case 17:
        if (!isAt(text, start, 'transfer-encoding')) break;
        if (chunked || !modern || trim(text.slice(colon + 1, next - 2)).toLowerCase() !== 'chunked')
          throw new MalformedResponse('the transfer encoding');
        chunked = drop = true;
        break;
    }
    if (drop) {
      if (sliceStart < start) lines += text.slice(sliceStart, start);
      sliceStart = next;
    }
    start = next;
  }
  if (sliceStart < text.length) lines += text.slice(sliceStart);
  if (chunked && length !== undefined)
    throw new MalformedResponse('both a content length and a transfer encoding');
  const framing: Framing = bodiless
    ? none
    : chunked
      ? inChunks
      : length === undefined
        ? untilClose
        : { kind: 'length', length };
  const tokens =
    connection === '' || connection === 'keep-alive'
      ? []
      : connection.split(',').map((each) => trim(each).toLowerCase());
  const reusable = modern && framing.kind !== 'close' && !tokens.includes('close');
  return new ResponseHead(
    status,
    text.slice(13, first - 2),
    dropConnectionHeaders(lines, tokens),
    framing,
    reusable,
    upgrade,
    hasDate,
  );
}

/**
 * Whether a `Set-Cookie` value sets a cookie of the sidecar's. Browsers return a cookie without a
 * name as its bare value.
 */
function setsOwnCookie(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === 61)) at++;
  return isOwnCookie(text.slice(at, Math.min(end, at + 64)));
}

function sameLength(value: string, before: number | undefined): number {
  const length = digits(value, 0, value.length);
  if (
    value === '' ||
    value.length > 15 ||
    Number.isNaN(length) ||
    (before !== undefined && before !== length)
  )
    throw new MalformedResponse('the content length');
  return length;
}

/** The value of decimal digits; NaN for anything else. */
function digits(text: string, start: number, end: number): number {
  let number = 0;
  for (let index = start; index < end; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit < 0 || digit > 9) return NaN;
    number = number * 10 + digit;
  }
  return number;
}

/**
 * Whether a name of lower-case letters and hyphens is at a position, in any letter case, without
 * creating a string.
 */
function isAt(text: string, start: number, name: string): boolean {
  // Among the characters of header names, setting this bit makes a lower-case letter or a hyphen
  // only from itself or its capital.
  for (let index = 0; index < name.length; index++)
    if ((text.charCodeAt(start + index) | 32) !== name.charCodeAt(index)) return false;
  return true;
}

/** Trims spaces and tabs only: other programs tolerate no more. */
function trim(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Headers listed in the response's own `Connection`, except those that the message needs. */
function dropConnectionHeaders(lines: string, tokens: readonly string[]): string {
  const connectionNames = tokens.filter((each) => !carrying.has(each));
  if (connectionNames.length === 0) return lines;
  return lines
    .split(/(?<=\r\n)/)
    .filter((line) => !connectionNames.includes(line.slice(0, line.indexOf(':')).toLowerCase()))
    .join('');
}
