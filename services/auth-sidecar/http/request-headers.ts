import { Refusal } from './refusal.js';

/** What a header is to the sidecar, by its name alone. */
type Role =
  | 'pass'
  | 'drop'
  | 'identity'
  | 'connection'
  | 'cookie'
  | 'host'
  | 'authorization'
  | 'length'
  | 'encoding'
  | 'session'
  | 'forwarding'
  | 'expect'
  | 'upgrade';

/** A request's headers, taken apart: what is forwarded as it is, and what the sidecar reads. */
export interface ScrubbedHeaders {
  /** Header lines for the app, each with its line ending. */
  lines: string;
  host: string | undefined;
  /** All `Cookie` headers joined. */
  cookie: string;
  authorization: string | undefined;
  /** The session header's value. */
  session: string | undefined;
  /** Digits, or undefined. */
  contentLength: string | undefined;
  chunked: boolean;
  expectContinue: boolean;
  upgrade: string | undefined;
  connection: string;
  /** Forwarding headers as sent, by lower-case name: believed only from trusted proxies. */
  forwarding: [string, string][];
  /** Whether the client named headers in `Connection`. */
  userAgent: string | undefined;
  accept: string | undefined;
  origin: string | undefined;
  referer: string | undefined;
  fetchSite: string | undefined;
  fetchMode: string | undefined;
  fetchDest: string | undefined;
  requestedWith: string | undefined;
  contentType: string | undefined;
  webSocketKey: string | undefined;
}

/** In bytes. Node's parser bounds names and values alone, which is far more on the wire when there are many short ones. */
const longest = 16 * 1024;
const hopByHop = new Set(['keepalive', 'proxyconnection', 'te', 'trailer', 'http2settings', 'proxyauthenticate', 'proxyauthorization']);
/** Names, without anything but letters and digits, whose beginnings only the sidecar may write: both dialects, always. */
const identityPrefixes = ['xsvcclientprincipal', 'xsvctoken', 'xsvcauth', 'xmsclientprincipal', 'xmstoken', 'xmsauth', 'xzumoauth'];
const forwardingNames = new Set([
  'forwarded',
  'xrealip',
  'xoriginalurl',
  'xoriginaluri',
  'xoriginalhost',
  'xrewriteurl',
  'xclientip',
  'trueclientip',
  'xhost',
  'xurlscheme',
]);
const read: Readonly<Record<string, keyof ScrubbedHeaders>> = {
  'user-agent': 'userAgent',
  accept: 'accept',
  origin: 'origin',
  referer: 'referer',
  'sec-fetch-site': 'fetchSite',
  'sec-fetch-mode': 'fetchMode',
  'sec-fetch-dest': 'fetchDest',
  'x-requested-with': 'requestedWith',
  'content-type': 'contentType',
  'sec-websocket-key': 'webSocketKey',
};
/** Read by the sidecar for a decision: given twice there would be two readings. */
const single = new Set<keyof ScrubbedHeaders>(['origin', 'fetchSite', 'contentType']);

/** Takes a request's raw headers apart. One instance for one configuration, because custom forwarding headers have names of their own. */
export class HeaderScrubber {
  private readonly roles = new Map<string, { readonly role: Role; readonly lower: string; readonly field?: keyof ScrubbedHeaders }>();

  /** @param sessionHeader in lower case. @param forwardingHeaders further names that proxies set, in lower case. */
  constructor(
    private readonly sessionHeader: string,
    private readonly forwardingHeaders: readonly string[],
  ) {}

  /**
   * @param raw names and values in turn, as Node's parser gives them.
   * @throws Refusal 400 for headers that two programs could read in two ways.
   */
  scrub(raw: readonly string[]): ScrubbedHeaders {
    const headers: ScrubbedHeaders = {
      lines: '',
      host: undefined,
      cookie: '',
      authorization: undefined,
      session: undefined,
      contentLength: undefined,
      chunked: false,
      expectContinue: false,
      upgrade: undefined,
      connection: '',
      forwarding: [],
      userAgent: undefined,
      accept: undefined,
      origin: undefined,
      referer: undefined,
      fetchSite: undefined,
      fetchMode: undefined,
      fetchDest: undefined,
      requestedWith: undefined,
      contentType: undefined,
      webSocketKey: undefined,
    };
    const listed = connectionTokens(raw);
    let lines = '';
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] as string;
      const value = raw[index + 1] as string;
      const known = this.roles.get(name) ?? this.classify(name);
      switch (known.role) {
        case 'pass': {
          const { field } = known;
          if (field !== undefined) {
            if (single.has(field) && headers[field] !== undefined) throw new Refusal(400, `The header ${known.lower} is given twice.`);
            (headers[field] as string) = value;
          }
          if (listed === undefined || !listed.has(known.lower)) lines += `${name}: ${value}\r\n`;
          break;
        }
        case 'drop':
        case 'identity':
          break;
        case 'host':
          if (headers.host !== undefined) throw new Refusal(400, 'The header host is given twice.');
          headers.host = value;
          break;
        case 'cookie':
          if (listed === undefined || !listed.has('cookie')) headers.cookie = headers.cookie === '' ? value : `${headers.cookie}; ${value}`;
          break;
        case 'authorization':
          if (headers.authorization !== undefined) throw new Refusal(400, 'The header authorization is given twice.');
          headers.authorization = value;
          if (listed === undefined || !listed.has('authorization')) lines += `${name}: ${value}\r\n`;
          break;
        case 'session':
          if (headers.session !== undefined) throw new Refusal(400, `The header ${known.lower} is given twice.`);
          headers.session = value;
          break;
        case 'length':
          if (headers.contentLength !== undefined || !/^\d{1,15}$/.test(value))
            throw new Refusal(400, 'The content length is not one number.', { close: true });
          headers.contentLength = value;
          break;
        case 'encoding':
          if (headers.chunked || value !== 'chunked') throw new Refusal(400, 'The only transfer encoding is chunked.', { close: true });
          headers.chunked = true;
          break;
        case 'connection':
          headers.connection = headers.connection === '' ? value : `${headers.connection},${value}`;
          break;
        case 'forwarding':
          headers.forwarding.push([known.lower, value]);
          break;
        case 'expect':
          headers.expectContinue = value.toLowerCase() === '100-continue';
          break;
        case 'upgrade':
          headers.upgrade = headers.upgrade === undefined ? value : `${headers.upgrade},${value}`;
          break;
      }
    }
    if (headers.chunked && headers.contentLength !== undefined)
      throw new Refusal(400, 'A request has a content length or a transfer encoding, not both.', { close: true });
    if (lines.length + headers.cookie.length > longest)
      throw new Refusal(431, 'The headers are longer than 16 KB together.', { close: true });
    headers.lines = lines;
    return headers;
  }

  private classify(name: string): { readonly role: Role; readonly lower: string; readonly field?: keyof ScrubbedHeaders } {
    const lower = name.toLowerCase();
    const field = read[lower];
    const entry = { role: this.roleOf(lower), lower, ...(field === undefined ? {} : { field }) };
    // Names come from clients: remembered only while there are few, and short ones.
    if (this.roles.size < 1000 && name.length < 64) this.roles.set(name, entry);
    return entry;
  }

  private roleOf(lower: string): Role {
    if (lower === this.sessionHeader) return 'session';
    const bare = lower.replace(/[^a-z0-9]/g, '');
    if (identityPrefixes.some((prefix) => bare.startsWith(prefix))) return 'identity';
    if (this.forwardingHeaders.includes(lower) || forwardingNames.has(bare) || bare.startsWith('xforwarded')) return 'forwarding';
    if (this.forwardingHeaders.some((header) => header.replace(/[^a-z0-9]/g, '') === bare)) return 'drop';
    switch (lower) {
      case 'host':
        return 'host';
      case 'cookie':
        return 'cookie';
      case 'authorization':
        return 'authorization';
      case 'content-length':
        return 'length';
      case 'transfer-encoding':
        return 'encoding';
      case 'connection':
        return 'connection';
      case 'expect':
        return 'expect';
      case 'upgrade':
        return 'upgrade';
    }
    // Aliases of headers that frame or route a message: an app that folds names would read them.
    if (['host', 'contentlength', 'transferencoding', 'connection', 'upgrade', 'expect', 'xrequestid'].includes(bare)) return 'drop';
    return hopByHop.has(bare) ? 'drop' : 'pass';
  }
}

/** The names that `Connection` lists, beyond the usual ones; undefined when there are none. */
function connectionTokens(raw: readonly string[]): Set<string> | undefined {
  let listed: Set<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    for (const token of (raw[index + 1] as string).split(',')) {
      const lower = token.trim().toLowerCase();
      if (lower === '' || lower === 'keep-alive' || lower === 'close' || lower === 'upgrade') continue;
      (listed ??= new Set()).add(lower);
    }
  }
  return listed;
}
