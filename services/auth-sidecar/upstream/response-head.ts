/** How a response's body ends. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' };

/** A response's status line and headers, checked, without what belongs to the connection. */
export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn, as sent. */
  readonly headers: string[];
  readonly framing: Framing;
  /** Whether the connection can carry another request after this response. */
  readonly reusable: boolean;
  /** Value of `Upgrade`, on 101 answers. */
  readonly upgrade: string | undefined;
}

/** The upstream said something that isn't HTTP, or that two programs could read in two ways. */
export class MalformedResponse extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedResponse';
  }
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const illegalInValue = /[\u0000-\u0008\u000a-\u001f\u007f]/;
const none: Framing = { kind: 'none' };
const untilClose: Framing = { kind: 'close' };
const inChunks: Framing = { kind: 'chunked' };

/**
 * Parses a response head strictly: no folding, no bare line endings, one framing.
 *
 * @param text status line and headers without the empty line, one character a byte.
 * @param method of the request: an answer to HEAD has no body.
 * @throws MalformedResponse
 */
export function parseHead(text: string, method: string): ResponseHead {
  const lines = text.split('\r\n');
  const statusLine = lines[0] as string;
  const match = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t -~\u0080-\u00ff]*))?$/.exec(statusLine);
  if (!match) throw new MalformedResponse('the status line');
  const modern = match[1] === '1';
  const status = Number(match[2]);
  const headers: string[] = [];
  let length: number | undefined;
  let chunked = false;
  let connection = '';
  let upgrade: string | undefined;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] as string;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    if (colon < 1 || !token.test(name)) throw new MalformedResponse('a header name');
    const value = line.slice(colon + 1).trim();
    if (illegalInValue.test(value)) throw new MalformedResponse('a header value');
    switch (name.length) {
      // Only names of these lengths matter here: the others pass without being looked at.
      case 14:
        if (name.toLowerCase() === 'content-length') {
          if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== Number(value)))
            throw new MalformedResponse('the content length');
          length = Number(value);
          continue;
        }
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') {
          if (chunked || value.toLowerCase() !== 'chunked' || !modern) throw new MalformedResponse('the transfer encoding');
          chunked = true;
          continue;
        }
        break;
      case 10: {
        const lower = name.toLowerCase();
        if (lower === 'connection') {
          connection = connection === '' ? value : `${connection},${value}`;
          continue;
        }
        if (lower === 'keep-alive') continue;
        break;
      }
      case 7: {
        const lower = name.toLowerCase();
        if (lower === 'trailer') continue;
        if (lower === 'upgrade') {
          upgrade = value;
          continue;
        }
        break;
      }
      case 16:
        if (name.toLowerCase() === 'proxy-connection') continue;
        break;
    }
    headers.push(name, value);
  }
  if (chunked && length !== undefined) throw new MalformedResponse('both a content length and a transfer encoding');
  const bodiless = method === 'HEAD' || status < 200 || status === 204 || status === 304;
  if (length !== undefined && (!bodiless || method === 'HEAD' || status === 304)) headers.push('Content-Length', String(length));
  const framing: Framing = bodiless ? none : chunked ? inChunks : length === undefined ? untilClose : { kind: 'length', length };
  const tokens = connection === '' ? [] : connection.split(',').map((each) => each.trim().toLowerCase());
  const reusable = modern && framing.kind !== 'close' && !tokens.includes('close');
  return { status, reason: match[3] ?? '', headers: withoutListed(headers, tokens), framing, reusable, upgrade };
}

/** Headers that the response's own `Connection` lists belong to the connection, but for those that carry the message. */
function withoutListed(headers: string[], tokens: readonly string[]): string[] {
  const listed = tokens.filter(
    (each) => !['close', 'keep-alive', 'upgrade', 'content-length', 'set-cookie', 'content-type'].includes(each),
  );
  if (listed.length === 0) return headers;
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string;
    if (!listed.includes(name.toLowerCase())) kept.push(name, headers[index + 1] as string);
  }
  return kept;
}
