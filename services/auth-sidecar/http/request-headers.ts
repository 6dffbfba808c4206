import { parseList } from './field-value.js';
import { Refusal } from './refusal.js';

/** What the sidecar does with a header, by its name alone. */
type Role =
  'pass' | 'drop' | 'session' | 'forwarding' | (typeof rolesByName)[keyof typeof rolesByName];

const rolesByName = {
  host: 'host',
  cookie: 'cookie',
  'content-length': 'length',
  'transfer-encoding': 'encoding',
  connection: 'connection',
} as const;

/** The parsed headers of a request: those to forward, and those that the sidecar uses. */
export type ScrubbedHeaders = ReturnType<typeof noHeaders>;

// One literal with all fields, so that all requests share one hidden class.
const noHeaders = () => ({
  /** Header lines for the app, each with its line ending. */
  lines: '',
  host: undefined as string | undefined,
  /** All `Cookie` headers joined. */
  cookie: '',
  authorization: undefined as string | undefined,
  /** The session header's value. */
  session: undefined as string | undefined,
  /** Digits, or undefined. */
  contentLength: undefined as string | undefined,
  chunked: false,
  connection: '',
  /** Forwarding headers as sent, with lower-case names: used only from trusted proxies. */
  forwarding: [] as [string, string][],
  userAgent: undefined as string | undefined,
  accept: undefined as string | undefined,
  origin: undefined as string | undefined,
  referer: undefined as string | undefined,
  fetchSite: undefined as string | undefined,
  fetchMode: undefined as string | undefined,
  fetchDest: undefined as string | undefined,
  requestedWith: undefined as string | undefined,
  /** The method that a preflight asks for. */
  requestedMethod: undefined as string | undefined,
  contentType: undefined as string | undefined,
  webSocketKey: undefined as string | undefined,
});

/** A list of names that have letters and digits only (see {@link normalizedName}). */
const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Headers of one connection, which are not forwarded (RFC 9110, 7.6.1). `Proxy` is among them because
 * CGI programs take it for `HTTP_PROXY`.
 */
const hopByHop = new Set(
  words(
    `proxy keepalive proxyconnection te trailer http2settings proxyauthenticate proxyauthorization`,
  ),
);
/** Prefixes of names that only the sidecar may write: both dialects, always. */
const identityPrefixes = words(`
  xsvcclientprincipal xsvctoken xsvcauth xmsclientprincipal xmstoken xmsauth xzumoauth`);
/**
 * Prefixes of names by which other sign-in layers and platforms tell an app who sends a request. An
 * app that reads them would believe the client.
 */
const foreignIdentityPrefixes = words(`
  xauthrequest remoteuser remoteemail remotegroups remotename xremoteuser xwebauth xpomerium
  xauthentik xvouch xgoogauthenticateduser xgoogiapjwt xamznoidc cfaccess cfconnectingip
  xazureclientip xazuresocketip xsslclient oidcclaim oidcaccesstoken tailscaleuser xtokenuser
  xtokensubject xconsumer xcredentialidentifier xauthenticated fastlyclientip xclusterclientip
  clientcert xclientcert sslclient xappengineuser xjwtassertion`);
const forwardingNames = new Set(
  words(`
    forwarded xrealip xoriginalurl xoriginaluri xoriginalhost xrewriteurl xclientip trueclientip
    xhost xurlscheme xenvoyoriginalpath`),
);
/**
 * Headers that frame or route a message. Their other spellings are dropped, because an app that
 * normalizes names would read them as the header itself.
 */
const framingNames = new Set(
  words(`host contentlength transferencoding connection upgrade expect xrequestid`),
);
const fieldsByName: Readonly<Record<string, keyof ScrubbedHeaders>> = {
  authorization: 'authorization',
  'user-agent': 'userAgent',
  accept: 'accept',
  origin: 'origin',
  referer: 'referer',
  'sec-fetch-site': 'fetchSite',
  'sec-fetch-mode': 'fetchMode',
  'sec-fetch-dest': 'fetchDest',
  'x-requested-with': 'requestedWith',
  'access-control-request-method': 'requestedMethod',
  'content-type': 'contentType',
  'sec-websocket-key': 'webSocketKey',
};
/** Headers on which decisions depend: a request that repeats one is ambiguous, and refused. */
const singleValuedFields = new Set<keyof ScrubbedHeaders>([
  'authorization',
  'origin',
  'fetchSite',
  'contentType',
]);

/** Names of request headers to remove besides the usual ones, and of usual ones to forward. */
export interface HeaderExceptions {
  /** Their other spellings (`X_Name`) are removed, too. */
  readonly removed: readonly string[];
  /** Only of those that other sign-in layers set; the sidecar's own are never kept. */
  readonly kept: readonly string[];
}

/** What is known of a header by its name: its role, and the field of {@link ScrubbedHeaders}. */
interface ClassifiedHeader {
  readonly role: Role;
  readonly lowerName: string;
  /** Undefined: it is forwarded unread, or its role says what is done with it. */
  readonly field: keyof ScrubbedHeaders | undefined;
}

/**
 * Parses a request's raw headers. One instance per configuration, because custom forwarding headers
 * have their own names.
 */
export class HeaderScrubber {
  private readonly cachedHeaders = new Map<string, ClassifiedHeader>();

  /**
   * @param sessionHeader the session header's name, in lower case.
   * @param forwardingHeaders further forwarding headers that proxies set, in lower case.
   * @param maxBytes the limit of all header lines together. Node's parser limits only names and
   *   values, so that many short headers would take far more bytes.
   */
  constructor(
    private readonly sessionHeader: string,
    private readonly forwardingHeaders: readonly string[],
    private readonly exceptions: HeaderExceptions = { removed: [], kept: [] },
    private readonly maxBytes = 16 * 1024,
  ) {}

  /**
   * @param raw names and values in turn, as Node's parser gives them.
   * @throws Refusal 400 for headers that two programs could read in two ways.
   */
  scrub(raw: readonly string[]): ScrubbedHeaders {
    const headers = noHeaders();
    const connectionNames = connectionTokens(raw);
    let lines = '';
    for (let index = 0; index < raw.length; index += 2) {
      const name = raw[index] as string;
      const value = raw[index + 1] as string;
      const header = this.cachedHeaders.get(name) ?? this.classify(name);
      const isListed = connectionNames !== undefined && connectionNames.has(header.lowerName);
      if (header.role === 'cookie' && isListed) continue;
      if (readHeader(headers, header, value) && !isListed) lines += `${name}: ${value}\r\n`;
    }
    if (headers.chunked && headers.contentLength !== undefined)
      throw new Refusal(400, 'A request has a content length or a transfer encoding, not both.', {
        closesConnection: true,
      });
    if (lines.length + headers.cookie.length > this.maxBytes)
      throw headersTooLongRefusal(this.maxBytes);
    headers.lines = lines;
    return headers;
  }

  private classify(name: string): ClassifiedHeader {
    const lowerName = name.toLowerCase();
    const field = fieldsByName[lowerName];
    const entry = { role: this.roleOf(lowerName), lowerName, field };
    // Clients choose the names, so the cache takes a limited number of short ones.
    if (this.cachedHeaders.size < maxCachedHeaders && name.length <= maxCachedNameLength)
      this.cachedHeaders.set(name, entry);
    return entry;
  }

  private roleOf(lowerName: string): Role {
    if (lowerName === this.sessionHeader) return 'session';
    const normalized = normalizedName(lowerName);
    if (identityPrefixes.some((prefix) => normalized.startsWith(prefix))) return 'drop';
    const { removed, kept } = this.exceptions;
    if (removed.some((name) => normalizedName(name) === normalized)) return 'drop';
    if (
      foreignIdentityPrefixes.some((prefix) => normalized.startsWith(prefix)) &&
      !kept.some((name) => normalizedName(name) === normalized)
    )
      return 'drop';
    if (
      this.forwardingHeaders.includes(lowerName) ||
      forwardingNames.has(normalized) ||
      normalized.startsWith('xforwarded')
    )
      return 'forwarding';
    if (this.forwardingHeaders.some((header) => normalizedName(header) === normalized))
      return 'drop';
    if (Object.hasOwn(rolesByName, lowerName))
      return rolesByName[lowerName as keyof typeof rolesByName];
    return framingNames.has(normalized) || hopByHop.has(normalized) ? 'drop' : 'pass';
  }
}

/**
 * A name in lower case with letters and digits only: many servers treat dashes, underscores and other
 * characters as equal.
 */
function normalizedName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Reads one header into its field. @returns whether its line is forwarded */
function readHeader(
  headers: ScrubbedHeaders,
  { role, lowerName, field }: ClassifiedHeader,
  value: string,
): boolean {
  switch (role) {
    case 'pass':
      if (field === undefined) return true;
      if (singleValuedFields.has(field)) refuseDuplicate(headers[field], lowerName);
      (headers[field] as string) = value;
      return true;
    case 'host':
    case 'session':
      refuseDuplicate(headers[role], lowerName);
      headers[role] = value;
      break;
    case 'cookie':
      headers.cookie = headers.cookie === '' ? value : `${headers.cookie}; ${value}`;
      break;
    case 'length':
      if (headers.contentLength !== undefined || !/^\d{1,15}$/.test(value))
        throw new Refusal(400, 'The content length is not one number.', { closesConnection: true });
      headers.contentLength = value;
      break;
    case 'encoding':
      if (headers.chunked || value !== 'chunked')
        throw new Refusal(400, 'The only transfer encoding is chunked.', {
          closesConnection: true,
        });
      headers.chunked = true;
      break;
    case 'connection':
      headers.connection = headers.connection === '' ? value : `${headers.connection},${value}`;
      break;
    case 'forwarding':
      headers.forwarding.push([lowerName, value]);
      break;
    case 'drop':
  }
  return false;
}

/** The refusal of headers that together exceed a limit. @param bytes the limit */
export function headersTooLongRefusal(bytes: number): Refusal {
  const limit = bytes % 1024 === 0 ? `${bytes / 1024} KB` : `${bytes} bytes`;
  const message = `The headers are longer than ${limit} together.`;
  return new Refusal(431, message, { closesConnection: true });
}

function refuseDuplicate(previousValue: unknown, name: string): void {
  if (previousValue !== undefined) throw new Refusal(400, `The header ${name} is given twice.`);
}

const maxCachedHeaders = 1000;
const maxCachedNameLength = 63;

const usualConnectionOptions = new Set(['keep-alive', 'close', 'upgrade']);

/** The names that `Connection` lists, beyond the usual ones; undefined when there are none. */
function connectionTokens(raw: readonly string[]): Set<string> | undefined {
  let tokens: Set<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    // Comparing the length first is cheaper for all other headers.
    if (name.length !== 'connection'.length || name.toLowerCase() !== 'connection') continue;
    for (const token of parseList((raw[index + 1] as string).toLowerCase()))
      if (!usualConnectionOptions.has(token)) (tokens ??= new Set()).add(token);
  }
  return tokens;
}
