import { domainToASCII, domainToUnicode } from 'node:url';
import type { ClaimsUsedByRules } from '../config/settings.js';
import { type Claims, type ClaimValue, dropClaimsToFit } from './claims.js';
import { Refusal } from '../http/refusal.js';

/** The signed-in user or program, according to the provider. */
export interface Identity {
  /** Object id if the provider has one, otherwise the subject. */
  readonly id: string;
  /** Of a person or program; the id where the provider states nothing better. */
  readonly name: string;
  readonly claims: Claims;
}

/** Protocol claims without information about a person. */
const protocolClaims = new Set([
  'nonce',
  'at_hash',
  'c_hash',
  's_hash',
  'aio',
  'rh',
  'uti',
  'xms_cc',
  '_claim_names',
  '_claim_sources',
  'hasgroups',
]);
/**
 * The properties with a person's name, the preferred one first. Providers with `login` or
 * `screen_name` keep the addresses of people private, so `email` comes after these.
 */
const nameClaims = [
  'name',
  'preferred_username',
  'upn',
  'unique_name',
  'login',
  'screen_name',
  'email',
  'nickname',
];
/** The longest id and name, in characters: each request to the app has them in headers. */
const maxIdLength = 500;
const maxNameLength = 300;
/** The most claims of a person, in bytes of JSON; a cookie holds fewer. */
const maxClaimsBytes = 64 * 1024;

/**
 * Creates an identity from the claims of a token or user endpoint. Undefined if they identify no
 * one.
 */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  nameClaim?: string,
  claimsUsedByRules: ClaimsUsedByRules = { groups: [], claimNames: [], requiredClaimNames: [] },
): Identity | undefined {
  const text = (key: string): string | undefined => {
    const value = claims[key];
    return typeof value === 'string' && value !== ''
      ? value
      : typeof value === 'number'
        ? String(value)
        : undefined;
  };
  const id = text('oid') ?? text('sub') ?? text('id_str') ?? text('id');
  if (id === undefined || id.length > maxIdLength) return undefined;
  const names = nameClaim === undefined ? nameClaims : [nameClaim, ...nameClaims];
  const name =
    names.map(text).find((value) => value !== undefined) ??
    text('app_displayname') ??
    text('azp') ??
    text('appid') ??
    id;
  return {
    id,
    name: [...name].slice(0, maxNameLength).join(''),
    claims: dropClaimsToFit(
      readableClaims(claims),
      claimsUsedByRules,
      (candidate) => JSON.stringify(candidate).length > maxClaimsBytes,
    ),
  };
}

function readableClaims(claims: Readonly<Record<string, unknown>>): Record<string, ClaimValue> {
  const entries: [string, ClaimValue][] = [];
  for (const [key, value] of Object.entries(claims)) {
    if (protocolClaims.has(key) || value === null || value === undefined) continue;
    if (Array.isArray(value)) entries.push([key, value.map(asText)]);
    else entries.push([key, asText(value)]);
  }
  return Object.fromEntries(entries);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/**
 * Which claims of a provider count as an e-mail address:
 * - `verified`: `email`, if `email_verified` is true;
 * - `directory`: the same, or if the directory's `xms_edov` is true: without it, any tenant could
 *   have written any address;
 * - `unverified`: `email` without that claim, too: the operator trusts the provider
 *   (`validation.trustsEmail`);
 * - `usernames`: also `preferred_username` and `upn`, which only administrators can set in a directory
 *   of one tenant.
 */
export type EmailTrust = 'verified' | 'directory' | 'unverified' | 'usernames';

/** The e-mail address of an identity that its provider is trusted to state. */
export function trustedEmail({ claims }: Identity, trust: EmailTrust): string | undefined {
  const isVerified =
    emailVerifiedClaim(claims, trust) ?? (trust === 'unverified' || trust === 'usernames');
  if (!isVerified) return undefined;
  const addresses = [
    claims['email'],
    ...(trust === 'usernames' ? [claims['preferred_username'], claims['upn']] : []),
  ];
  return addresses.find(
    (address): address is string =>
      typeof address === 'string' && /^[^\s@<>"(),:;[\]\\]+@[\p{L}\p{M}\p{N}.-]+$/u.test(address),
  );
}

/** What the provider says of the address; undefined if it says nothing. */
function emailVerifiedClaim(
  { email_verified: verified, xms_edov: byDirectory }: Claims,
  trust: EmailTrust,
): boolean | undefined {
  if (verified !== undefined) return verified === 'true'; // `readableClaims` made a text of it
  return byDirectory === undefined || (trust !== 'directory' && trust !== 'usernames')
    ? undefined
    : /^(true|1)$/i.test(String(byDirectory));
}

/**
 * Claims with `email` and `email_verified` of the same source: the address of one source must not
 * count as verified by another.
 *
 * @param sources the first that has an address is used.
 */
export function withEmailFrom<Stated extends object>(
  claims: Stated,
  sources: readonly Readonly<Record<string, unknown>>[],
): Stated {
  const { email, email_verified } = sources.find((each) => each['email'] !== undefined) ?? {};
  return { ...claims, email, email_verified };
}

/**
 * Admits identities with an e-mail address in an allowed domain.
 *
 * @param domains `contoso.example`, or `*.contoso.example` for its subdomains; empty admits
 *   everyone.
 * @param rule the setting with the domains
 * @throws Refusal 403
 */
export function checkEmailDomain(
  identity: Identity,
  trust: EmailTrust,
  domains: readonly string[],
  rule: string,
): void {
  if (domains.length === 0) return;
  const domain = domainOf(trustedEmail(identity, trust) ?? '');
  const isAllowed = domains.some((each) =>
    each.startsWith('*.') ? domain.endsWith(each.slice(1)) : domain === each,
  );
  if (domain === '' || !isAllowed)
    throw new Refusal(
      403,
      'Only people with a verified e-mail address of certain domains are let in here.',
      { code: 'access_denied', rule },
    );
}

/** The longest domain, in characters (RFC 1035, 2.3.4). */
const maxDomainLength = 253;

/**
 * The domain of an address in ASCII; empty where its letters only look like those of a domain (`ℯ`,
 * the sign of Kelvin): a provider may have verified an address of another one.
 */
function domainOf(address: string): string {
  const writtenDomain = address.slice(address.indexOf('@') + 1);
  if (writtenDomain.length > maxDomainLength) return ''; // to encode it could take seconds
  const domain = domainToASCII(writtenDomain);
  const isPlain =
    writtenDomain.normalize('NFKC') === writtenDomain &&
    [domain, domainToUnicode(domain)].includes(writtenDomain.toLowerCase());
  return isPlain ? domain : '';
}
