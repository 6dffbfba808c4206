import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { Tokens } from '../providers/provider.js';
import type { ClaimValue } from './claims.js';
import type { Identity } from './identity.js';

/** A claim in the form of the app's headers and `/.auth/me`. */
export interface Claim {
  readonly typ: string;
  readonly val: string;
}

const nameType = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name';
const roleType = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';
/** The long claim types that programs for the cloud look for. */
const longTypes: Readonly<Record<string, string>> = {
  sub: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier',
  oid: 'http://schemas.microsoft.com/identity/claims/objectidentifier',
  tid: 'http://schemas.microsoft.com/identity/claims/tenantid',
  email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  roles: roleType,
};
/**
 * In bytes. Apps refuse requests with more than 16 KB of headers: the sidecar's leave room for the
 * client's.
 */
const longest = { principal: 9 * 1024, tokens: 8 * 1024, together: 12 * 1024 };
/**
 * The order in which tokens are dropped when they are too long together; `/.auth/me` returns all of
 * them.
 */
const dispensable = [
  'ID-TOKEN',
  'REFRESH-TOKEN',
  'AUTHENTICATION-TOKEN',
  'ACCESS-TOKEN-SECRET',
  'ACCESS-TOKEN',
];

/** An identity's claims, in the words of the dialect. */
export function claimsOf(identity: Identity, dialect: Dialect): Claim[] {
  const claims: Claim[] = [];
  for (const key of Object.keys(identity.claims)) {
    const value = identity.claims[key] as ClaimValue;
    const typ = dialect === 'azure' ? (longTypes[key] ?? key) : key;
    if (typeof value === 'string') claims.push({ typ, val: value });
    else for (const val of value) claims.push({ typ, val });
  }
  if (dialect === 'azure') claims.push({ typ: nameType, val: identity.name });
  return claims;
}

/**
 * The identity header lines for a signed-in request, each with its line ending.
 *
 * @param word the provider's path word. @param tokens the token header lines of the request.
 */
export function identityLines(
  identity: Identity,
  word: string,
  dialect: Dialect,
  tokens = '',
): string {
  const room = Math.min(longest.principal, longest.together - tokens.length);
  const line = (name: keyof typeof dialectWords, value: string): string =>
    `${inDialect(dialectWords[name], dialect)}: ${value}\r\n`;
  return (
    line('clientPrincipalName', printable(identity.name)) +
    line('clientPrincipalId', printable(identity.id)) +
    line('clientPrincipalIdp', printable(word)) +
    line('clientPrincipal', principal(identity, word, dialect, room)) +
    tokens
  );
}

/** Base64 of the principal's JSON; drops claims of the largest types while it is too long. */
function principal(identity: Identity, word: string, dialect: Dialect, room: number): string {
  let claims = claimsOf(identity, dialect);
  for (;;) {
    const [name_typ, role_typ] = dialect === 'azure' ? [nameType, roleType] : ['name', 'roles'];
    const text = Buffer.from(principalJson(word, claims, name_typ, role_typ)).toString('base64');
    if (text.length <= room || claims.length === 0) return text;
    const sizes = new Map<string, number>();
    for (const { typ, val } of claims)
      sizes.set(typ, (sizes.get(typ) ?? 0) + typ.length + val.length);
    const [largest] = [...sizes].sort((a, b) => b[1] - a[1])[0] as [string, number];
    claims = claims.filter(({ typ }) => typ !== largest);
  }
}

/** Letters that JSON does not escape. */
const plain = /^[ !#-[\]-~]*$/;

/** Like `JSON.stringify`, but concatenated: for bearer tokens it is created for every request. */
function principalJson(
  word: string,
  claims: readonly Claim[],
  name_typ: string,
  role_typ: string,
): string {
  let letters = word;
  for (const { typ, val } of claims) letters += typ + val;
  if (!plain.test(letters)) return JSON.stringify({ auth_typ: word, claims, name_typ, role_typ });
  let list = '';
  for (const { typ, val } of claims)
    list += `${list === '' ? '' : ','}{"typ":"${typ}","val":"${val}"}`;
  return `{"auth_typ":"${word}","claims":[${list}],"name_typ":"${name_typ}","role_typ":"${role_typ}"}`;
}

const principalNames = [
  'clientPrincipalName',
  'clientPrincipalId',
  'clientPrincipalIdp',
  'clientPrincipal',
] as const;
const tokenNames = [
  'ID-TOKEN',
  'ACCESS-TOKEN',
  'ACCESS-TOKEN-SECRET',
  'AUTHENTICATION-TOKEN',
  'REFRESH-TOKEN',
  'EXPIRES-ON',
] as const;

const userNames = ['X-Forwarded-User', 'X-Forwarded-Email', 'X-Forwarded-Groups'] as const;

/**
 * The headers known from other sign-in proxies, each with its line ending: the id (names can be
 * chosen freely), the address if there is one, and the groups, comma-separated, as many as there is
 * room for.
 *
 * @param user the id, with the provider before it where ids of providers could be equal.
 * @param lengthBefore length of the token headers that go with them.
 */
export function forwardedUserLines(
  { claims }: Identity,
  user: string,
  email: string | undefined,
  lengthBefore: number,
): string {
  const { groups = [] } = claims;
  let names = '';
  for (const group of typeof groups === 'string' ? [groups] : groups) {
    const text = printable(group).replace(/,/g, '%2C');
    if (names.length + text.length + lengthBefore > longest.tokens) break;
    names += names === '' ? text : `,${text}`;
  }
  const [userName, address, groupsOf] = userNames;
  const line = (name: string, value: string): string =>
    value === '' ? '' : `${name}: ${value}\r\n`;
  return (
    line(userName, printable(user)) + line(address, printable(email ?? '')) + line(groupsOf, names)
  );
}

/**
 * The names of all headers that a signed-in request can have. @param providers the path words of
 * the providers
 */
export function identityHeaderNames(dialect: Dialect, providers: readonly string[]): string[] {
  const tokens = providers.flatMap((word) =>
    tokenNames.map((name) => `${tokenPrefix(word, dialect)}${name}`),
  );
  return [
    ...principalNames.map((name) => inDialect(dialectWords[name], dialect)),
    ...tokens,
    ...userNames,
  ];
}

function tokenPrefix(word: string, dialect: Dialect): string {
  return `${inDialect(dialectWords.tokenHeaderPrefix, dialect)}${word.toUpperCase().replace(/[^A-Z0-9]/g, '-')}-`;
}

/** The token header lines of a provider, as many as there is room for. */
export function tokenLines(tokens: Tokens, word: string, dialect: Dialect): string {
  const prefix = tokenPrefix(word, dialect);
  const fields: [(typeof tokenNames)[number], string | undefined][] = [
    ['ID-TOKEN', tokens.idToken],
    ['ACCESS-TOKEN', tokens.accessToken],
    ['ACCESS-TOKEN-SECRET', tokens.accessTokenSecret],
    ['AUTHENTICATION-TOKEN', tokens.authenticationToken],
    ['REFRESH-TOKEN', tokens.refreshToken],
    [
      'EXPIRES-ON',
      tokens.expiresOn === undefined ? undefined : new Date(tokens.expiresOn * 1000).toISOString(),
    ],
  ];
  const lines = new Map<string, string>();
  let length = 0;
  for (const [name, value] of fields) {
    if (value === undefined) continue;
    const line = `${prefix}${name}: ${printable(value)}\r\n`;
    lines.set(name, line);
    length += line.length;
  }
  for (const name of dispensable) {
    if (length <= longest.tokens) break;
    length -= lines.get(name)?.length ?? 0;
    lines.delete(name);
  }
  return [...lines.values()].join('');
}

/**
 * A text in printable ASCII: anything else, and the percent sign itself, is percent-encoded, so
 * that different texts stay different.
 */
export function printable(text: string): string {
  if (/^[!-$&-~]([ -$&-~]*[!-$&-~])?$/.test(text)) return text;
  return text
    .trim()
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^ -$&-~]/gu, (char) => encodeURIComponent(char));
}
