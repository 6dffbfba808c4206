import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from 'jose' with {
  'resolution-mode': 'import',
};
import { CastellanError } from '../../core/errors/castellan-error.js';
import { trimEnd } from '../../core/text/trim-end.js';
import { isLoopback } from '../../core/values/loopback.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { unrestrictedCaller, type Caller, personalAccountTenant } from './caller.js';
import type { Clock } from './clock.js';

/** The verified claims of a token. */
interface VerifiedToken {
  /** Without trailing slashes. */
  readonly audiences: readonly string[];
  readonly caller: Caller;
}

/** How long a verified signature is cached: a revoked key stops working soon. */
const cacheMs = 60_000;
const cacheSize = 2_000;

/**
 * Tokens verified recently: callers send the same token repeatedly, and verifying takes longer than
 * answering.
 */
class VerifiedTokens {
  readonly #tokens = new Map<
    string,
    { readonly token: VerifiedToken; readonly from: number; readonly until: number }
  >();

  get(text: string, now: Date): VerifiedToken | undefined {
    const entry = this.#tokens.get(text);
    if (entry === undefined) return undefined;
    if (now.getTime() >= entry.from && now.getTime() < entry.until) return entry.token;
    this.#tokens.delete(text);
    return undefined;
  }

  /** @param expires the end of the token itself, in milliseconds of the epoch. */
  put(text: string, token: VerifiedToken, now: Date, expires: number): void {
    const from = now.getTime();
    this.#tokens.set(text, { token, from, until: Math.min(from + cacheMs, expires) });
    const [oldest] = this.#tokens.size > cacheSize ? this.#tokens.keys() : [];
    if (oldest !== undefined) this.#tokens.delete(oldest);
  }
}

/** Why a token was refused; the service words the answer in its own error shape. */
export type TokenRefusal = 'missing' | 'malformed' | 'expired' | 'invalid' | 'audience';

/** The result of an `Authorization` header: its caller, or a refusal and the message for it. */
type Verification =
  { readonly caller: Caller } | { readonly refusal: TokenRefusal; readonly reason: string };

/** Verifies an `Authorization` header and returns its caller. */
export interface TokenVerifier {
  /**
   * @param audiences the allowed `aud`: the service's own origin and the cloud's audiences.
   *   Trailing slashes are ignored.
   */
  verify(authorization: string | undefined, audiences: readonly string[]): Promise<Verification>;
}

/** Accepts everyone (`--no-auth`, loopback only). */
export const noAuthentication: TokenVerifier = {
  verify: () => Promise.resolve({ caller: unrestrictedCaller }),
};

/** Settings of {@link createTokenVerifier}. */
interface TokenVerifierOptions {
  /** Issuers by OpenID discovery; none: every request is refused. */
  readonly issuers: readonly string[];
  /** Replaces the services' own audiences (`--audience`). */
  readonly audiences?: readonly string[];
  readonly clock: Clock;
  /** Keys of issuers in this process (the sandbox's), by issuer, used without a request. */
  readonly localKeys?: ReadonlyMap<string, JWTVerifyGetKey>;
}

/** The accepted signatures: asymmetric ones, as only the identity provider can have made them. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/**
 * Verifies bearer tokens with the issuers' published keys: asymmetric algorithms only, `exp`
 * required, issuer and audience exact.
 *
 * @throws CAS4003 for an issuer over http that isn't loopback.
 */
export function createTokenVerifier(options: TokenVerifierOptions): TokenVerifier {
  for (const issuer of options.issuers) assertIssuer(issuer);
  const keySets = new Map<string, Promise<JWTVerifyGetKey>>();
  const keysOf = (issuer: string): Promise<JWTVerifyGetKey> => {
    const localKeys = options.localKeys?.get(issuer);
    if (localKeys) return Promise.resolve(localKeys);
    let keys = keySets.get(issuer);
    if (!keys) {
      keys = discoverKeys(issuer, options.clock);
      keySets.set(issuer, keys);
      keys.catch(() => keySets.delete(issuer));
    }
    return keys;
  };

  const verifiedTokens = new VerifiedTokens();
  const verifyToken = async (
    token: string,
    now: Date,
    allowedAudiences: readonly string[],
  ): Promise<Verification> => {
    const { decodeJwt, jwtVerify, errors } = await import('jose');
    let issuer: string;
    try {
      issuer = decodeJwt(token).iss ?? '';
    } catch {
      return { refusal: 'malformed', reason: 'CompactToken parsing failed.' };
    }
    if (!options.issuers.includes(issuer))
      return { refusal: 'invalid', reason: 'The token was issued by an unknown issuer.' };
    try {
      const { payload } = await jwtVerify(token, await keysOf(issuer), {
        issuer,
        algorithms: signatureAlgorithms,
        requiredClaims: ['exp', 'aud'],
        currentDate: now,
      });
      const caller = callerOf(payload);
      if (caller.objectId === '')
        return {
          refusal: 'invalid',
          reason: 'The token does not say whose it is: it has neither oid nor sub.',
        };
      const audiences = [payload.aud ?? []].flat().filter(isText);
      const verifiedToken = { audiences: audiences.map(withoutSlash), caller };
      verifiedTokens.put(token, verifiedToken, now, (payload.exp ?? 0) * 1000);
      return checkAudience(verifiedToken, options.audiences ?? allowedAudiences);
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        return { refusal: 'expired', reason: 'Lifetime validation failed, the token is expired.' };
      if (error instanceof errors.JOSEError)
        return { refusal: 'invalid', reason: `The token is not valid: ${error.message}.` };
      return { refusal: 'invalid', reason: 'The keys of the issuer could not be fetched.' };
    }
  };
  return {
    async verify(authorization, audiences) {
      if (authorization === undefined || authorization.trim() === '')
        return { refusal: 'missing', reason: 'Access token is empty.' };
      const token = /^Bearer +([\w.-]+)$/i.exec(authorization)?.[1];
      if (token === undefined)
        return {
          refusal: 'malformed',
          reason: 'The Authorization header is not "Bearer <token>".',
        };
      const now = options.clock.now();
      const entry = verifiedTokens.get(token, now);
      return entry === undefined
        ? verifyToken(token, now, audiences)
        : checkAudience(entry, options.audiences ?? audiences);
    },
  };
}

function checkAudience(
  { audiences, caller }: VerifiedToken,
  allowedAudiences: readonly string[],
): Verification {
  if (allowedAudiences.some((audience) => audiences.includes(withoutSlash(audience))))
    return { caller };
  return { refusal: 'audience', reason: 'Invalid audience.' };
}

/** Whether nobody on the way to an address can change the answer: https, or http on this machine. */
function isProtectedAddress(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

function assertIssuer(issuer: string): void {
  if (isProtectedAddress(issuer)) return;
  throw new CastellanError(
    'CAS4003',
    `--issuer ${issuer}: an issuer is an https URL; http is allowed on loopback only`,
  );
}

async function discoverKeys(issuer: string, clock: Clock): Promise<JWTVerifyGetKey> {
  const { KeySet } = await import('./key-set.js');
  const configuration = `${withoutSlash(issuer)}/.well-known/openid-configuration`;
  const { jwks_uri: address = '' } = await fetchJson<{ jwks_uri?: string }>(configuration);
  if (!isProtectedAddress(address))
    throw new Error(`${configuration} names no https address of keys`);
  return new KeySet(
    () => fetchJson<JSONWebKeySet>(address),
    () => clock.now().getTime() / 1000,
  ).find;
}

async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(10_000), redirect: 'error' });
  if (!response.ok) throw new Error(`${url} answered ${String(response.status)}`);
  return (await response.json()) as T;
}

function callerOf(claims: JWTPayload): Caller {
  const text = (name: string): string | undefined =>
    typeof claims[name] === 'string' ? (claims[name] as string) : undefined;
  const list = (name: string): string[] =>
    Array.isArray(claims[name]) ? (claims[name] as unknown[]).filter(isText) : [];
  const tenantId = text('tid') ?? '';
  const applicationId = text('appid') ?? text('azp');
  const name = text('name') ?? text('preferred_username') ?? text('upn');
  const kind = isApplicationToken(claims) ? 'application' : 'user';
  return {
    kind,
    objectId: text('oid') ?? text('sub') ?? (kind === 'application' ? (applicationId ?? '') : ''),
    tenantId,
    ...omitUndefined({ applicationId, name }),
    scopes: new Set((text('scp') ?? '').split(' ').filter(Boolean)),
    roles: new Set(list('roles')),
    directoryRoles: new Set(list('wids')),
    groups: new Set(list('groups').map((id) => id.toLowerCase())),
    isGuest: claims['acct'] === 1 || claims['acct'] === '1',
    isPersonal: tenantId === personalAccountTenant,
  };
}

/**
 * Whether a token is an application's own: it says so, or has no delegated permissions and is about
 * its own object (`oid` is `sub`). Any other token without `scp` is a user's, without permissions.
 */
function isApplicationToken({ idtyp, scp, oid, sub }: JWTPayload): boolean {
  if (idtyp !== undefined) return idtyp === 'app';
  return scp === undefined && typeof oid === 'string' && oid === sub;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function withoutSlash(text: string): string {
  return trimEnd(text, '/');
}
