import { type Dialect, inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { Tokens } from '../providers/provider.js';
import type { ClaimsUsedByRules } from '../config/settings.js';
import { type ClaimValue, dropClaimsToFit, namedGroups } from './claims.js';
import type { Identity } from './identity.js';

/** A claim in the form of the app's headers and `/.auth/me`. */
export interface Claim {
  readonly typ: string;
  readonly val: string;
}

const nameType = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name';
const roleType = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role';
/** The long claim types that programs for the cloud look for. */
const longTypes: ReadonlyMap<string, string> = new Map([
  ['sub', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/nameidentifier'],
  ['oid', 'http://schemas.microsoft.com/identity/claims/objectidentifier'],
  ['tid', 'http://schemas.microsoft.com/identity/claims/tenantid'],
  ['email', 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress'],
  ['roles', roleType],
]);
/**
 * In bytes. Apps refuse requests with more than 16 KB of headers: the sidecar's leave room for the
 * client's.
 */
const maxBytes = { principal: 9 * 1024, tokens: 8 * 1024, total: 12 * 1024 };
/**
 * The order in which tokens are dropped when they are too long together; `/.auth/me` returns all of
 * them.
 */
const tokenDropOrder = [
  'ID-TOKEN',
  'REFRESH-TOKEN',
  'AUTHENTICATION-TOKEN',
  'ACCESS-TOKEN-SECRET',
  'ACCESS-TOKEN',
];

/** An identity's claims, in the words of the dialect. */
export function principalClaims(identity: Identity, dialect: Dialect): Claim[] {
  const claims: Claim[] = [];
  for (const key of Object.keys(identity.claims)) {
    const value = identity.claims[key] as ClaimValue;
    const typ = dialect === 'azure' ? (longTypes.get(key) ?? key) : key;
    if (typeof value === 'string') claims.push({ typ, val: value });
    else for (const val of value) claims.push({ typ, val });
  }
  if (dialect === 'azure') claims.push({ typ: nameType, val: identity.name });
  return claims;
}

/** Header lines, each with its line ending, and what they leave out. */
export interface IdentityHeaders {
  readonly lines: string;
  /** The claims of the principal, and the headers, that had no room or not for everything. */
  readonly omitted: readonly string[];
}

/** Who a request is from: an identity, at a provider with this name in paths and these rules. */
export interface Principal {
  readonly identity: Identity;
  readonly providerName: string;
  readonly claimsUsedByRules: ClaimsUsedByRules;
}

/**
 * The identity headers of a signed-in request. Where all claims have no room, groups that no rule
 * names are left out, then the longest claims; a header says which.
 *
 * @param otherHeaders the other headers of the request: tokens, and those known from other proxies.
 */
export function identityHeaders(
  { identity, providerName, claimsUsedByRules }: Principal,
  dialect: Dialect,
  otherHeaders: IdentityHeaders,
): IdentityHeaders {
  const availableBytes = Math.min(maxBytes.principal, maxBytes.total - otherHeaders.lines.length);
  const line = (name: keyof typeof dialectWords, value: string): string =>
    `${inDialect(dialectWords[name], dialect)}: ${value}\r\n`;
  const encode = (claims: Identity['claims']): string =>
    encodePrincipal({ ...identity, claims }, providerName, dialect);
  const completeText = encode(identity.claims);
  const claims =
    completeText.length <= availableBytes
      ? identity.claims
      : dropClaimsToFit(
          identity.claims,
          claimsUsedByRules,
          (candidate) => encode(candidate).length > availableBytes,
        );
  const incompleteClaims = Object.keys(identity.claims).filter(
    (name) => claims[name] !== identity.claims[name],
  );
  const omitted = [...incompleteClaims, ...otherHeaders.omitted];
  return {
    omitted,
    lines:
      line('clientPrincipalName', percentEncodeUnprintable(identity.name)) +
      line('clientPrincipalId', percentEncodeUnprintable(identity.id)) +
      line('clientPrincipalIdp', percentEncodeUnprintable(providerName)) +
      line('clientPrincipal', claims === identity.claims ? completeText : encode(claims)) +
      (omitted.length === 0
        ? ''
        : line(
            'clientPrincipalOmitted',
            omitted.map(percentEncodeUnprintable).join(',').slice(0, 500),
          )) +
      otherHeaders.lines,
  };
}

/** Base64 of the principal's JSON. */
function encodePrincipal(identity: Identity, providerName: string, dialect: Dialect): string {
  const [name_typ, role_typ] = dialect === 'azure' ? [nameType, roleType] : ['name', 'roles'];
  const json = principalJson(providerName, principalClaims(identity, dialect), name_typ, role_typ);
  return Buffer.from(json).toString('base64');
}

/** Letters that JSON does not escape. */
const unescapedInJson = /^[ !#-[\]-~]*$/;

/** Like `JSON.stringify`, but concatenated: for bearer tokens it is created for every request. */
function principalJson(
  providerName: string,
  claims: readonly Claim[],
  name_typ: string,
  role_typ: string,
): string {
  let letters = providerName;
  for (const { typ, val } of claims) letters += typ + val;
  if (!unescapedInJson.test(letters))
    return JSON.stringify({ auth_typ: providerName, claims, name_typ, role_typ });
  let claimsJson = '';
  for (const { typ, val } of claims)
    claimsJson += `${claimsJson === '' ? '' : ','}{"typ":"${typ}","val":"${val}"}`;
  return `{"auth_typ":"${providerName}","claims":[${claimsJson}],"name_typ":"${name_typ}","role_typ":"${role_typ}"}`;
}

const principalNames = [
  'clientPrincipalName',
  'clientPrincipalId',
  'clientPrincipalIdp',
  'clientPrincipal',
  'clientPrincipalOmitted',
] as const;
const tokenNames = [
  'ID-TOKEN',
  'ACCESS-TOKEN',
  'ACCESS-TOKEN-SECRET',
  'AUTHENTICATION-TOKEN',
  'REFRESH-TOKEN',
  'EXPIRES-ON',
] as const;

const userHeaderNames = ['X-Forwarded-User', 'X-Forwarded-Email', 'X-Forwarded-Groups'] as const;

/**
 * The headers known from other sign-in proxies: the id (names can be chosen freely), the address if
 * there is one, and the groups, comma-separated. Where there is no room for all groups, only those
 * that a rule names.
 *
 * @param user the id, with the provider before it where ids of providers could be equal.
 * @param lengthBefore length of the token headers that go with them.
 */
export function forwardedUserHeaders(
  { identity: { claims }, claimsUsedByRules }: Pick<Principal, 'identity' | 'claimsUsedByRules'>,
  user: string,
  email: string | undefined,
  lengthBefore: number,
): IdentityHeaders {
  const { groups = [] } = claims;
  const claimedGroups = typeof groups === 'string' ? [groups] : groups;
  const [userHeader, emailHeader, groupsHeader] = userHeaderNames;
  const fits = (value: string): boolean => value.length + lengthBefore <= maxBytes.tokens;
  let groupsValue = groupList(claimedGroups);
  const fitsAll = fits(groupsValue);
  if (!fitsAll) groupsValue = groupList(namedGroups(claimedGroups, claimsUsedByRules));
  while (!fits(groupsValue))
    groupsValue = groupsValue.slice(0, Math.max(groupsValue.lastIndexOf(','), 0));
  const line = (name: string, value: string): string =>
    value === '' ? '' : `${name}: ${value}\r\n`;
  return {
    omitted: fitsAll ? [] : [groupsHeader],
    lines:
      line(userHeader, percentEncodeUnprintable(user)) +
      line(emailHeader, percentEncodeUnprintable(email ?? '')) +
      line(groupsHeader, groupsValue),
  };
}

function groupList(groups: readonly string[]): string {
  return groups.map((group) => percentEncodeUnprintable(group).replace(/,/g, '%2C')).join();
}

/**
 * The names of all headers that a signed-in request can have.
 *
 * @param providers the providers' names in paths.
 */
export function identityHeaderNames(dialect: Dialect, providers: readonly string[]): string[] {
  const tokens = providers.flatMap((name) =>
    tokenNames.map((token) => `${tokenPrefix(name, dialect)}${token}`),
  );
  return [
    ...principalNames.map((name) => inDialect(dialectWords[name], dialect)),
    ...tokens,
    ...userHeaderNames,
  ];
}

function tokenPrefix(providerName: string, dialect: Dialect): string {
  return `${inDialect(dialectWords.tokenHeaderPrefix, dialect)}${providerName.toUpperCase().replace(/[^A-Z0-9]/g, '-')}-`;
}

/** The token header lines of a provider, as many as there is room for. */
export function tokenHeaderLines(tokens: Tokens, providerName: string, dialect: Dialect): string {
  const prefix = tokenPrefix(providerName, dialect);
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
    const line = `${prefix}${name}: ${percentEncodeUnprintable(value)}\r\n`;
    lines.set(name, line);
    length += line.length;
  }
  for (const name of tokenDropOrder) {
    if (length <= maxBytes.tokens) break;
    length -= lines.get(name)?.length ?? 0;
    lines.delete(name);
  }
  return [...lines.values()].join('');
}

/**
 * A text in printable ASCII: anything else, the percent sign itself, and spaces at the ends, which
 * a header loses, are percent-encoded, so that different texts stay different.
 */
export function percentEncodeUnprintable(text: string): string {
  if (/^[!-$&-~]([ -$&-~]*[!-$&-~])?$/.test(text)) return text;
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^ -$&-~]|^ +|(?<! ) +$/gu, (part) => encodeURIComponent(part));
}
