import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { isObject } from '../../../core/values/is-object.js';
import { KeySet } from '../../common/key-set.js';
import { signatureAlgorithms } from '../../common/token-verifier.js';
import type { OpenIdSettings, JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import { withEmailFrom } from '../session/identity.js';
import type { SecondsClock } from '../seconds-clock.js';
import { urlWithoutSecrets } from '../operations/external-call-error.js';
import { isIssuedBy, MetadataSource, type OpenIdMetadata } from './openid-metadata.js';
import { invalidTokenRefusal, requireProviderAnswer } from './provider-refusals.js';
import { latestExpiry } from './provider.js';
import { statementRefusal } from './session-statements.js';
import { TokenEndpoint } from './token-endpoint.js';
import type { ProviderHttp } from './provider-http.js';

/** The compact serialization of a signed token: three parts of base64url (RFC 7515, 3.1). */
export const compactSerialization = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const nameClaims = ['name', 'preferred_username', 'upn', 'unique_name', 'email', 'nickname'];

/**
 * Whether a token refers to groups instead of naming them, because there are too many (OpenID
 * Connect Core 5.6.2, and `hasgroups` of the directory).
 */
export function hasGroupsElsewhere(claims: JsonObject): boolean {
  const { groups, hasgroups, _claim_names: names } = claims;
  if (groups !== undefined) return false;
  return (isObject(names) && 'groups' in names) || hasgroups === true || hasgroups === 'true';
}

/** A kind of signed statement: the allowed values of `typ`, and the required claims. */
interface StatementKind {
  /** In lower case, without `application/`; undefined: it may be absent. */
  readonly types: readonly (string | undefined)[];
  /** Names of claims. */
  readonly required: readonly string[];
}

/** Logout tokens (Back-Channel Logout 1.0), which many providers send as `JWT` or without a type. */
export const logoutToken: StatementKind = {
  types: ['logout+jwt', 'jwt', undefined],
  required: ['iss', 'aud', 'iat', 'exp', 'jti', 'events'],
};

/** Security event tokens (RFC 8417). */
export const securityEvent: StatementKind = {
  types: ['secevent+jwt'],
  required: ['iss', 'aud', 'iat', 'jti', 'events'],
};

/**
 * Requests to an OpenID Connect provider, and verification of its tokens: discovery, token and user
 * endpoint, keys.
 */
export class OpenIdTokens {
  readonly metadata: MetadataSource;
  readonly tokenEndpoint: TokenEndpoint;
  private keySet: { readonly url: string; readonly keys: KeySet } | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly http: ProviderHttp,
    private readonly now: SecondsClock,
    /** How many seconds the provider's clock may differ. */
    private readonly clockTolerance: number,
  ) {
    this.metadata = new MetadataSource(settings, http, now);
    this.tokenEndpoint = new TokenEndpoint(settings, http, now);
  }

  private keysOf(metadata: OpenIdMetadata): KeySet {
    if (this.keySet?.url !== metadata.jwksUri)
      this.keySet = {
        url: metadata.jwksUri,
        keys: new KeySet(() => this.fetchKeys(metadata.jwksUri), this.now),
      };
    return this.keySet.keys;
  }

  /** @throws Refusal 502 or 504 */
  private async fetchKeys(url: string): Promise<JSONWebKeySet> {
    const { status, body } = await this.http(url, { signal: AbortSignal.timeout(8000) });
    const { keys } = body;
    if (status !== 200 || !Array.isArray(keys) || !keys.every(isObject))
      throw new Refusal(502, 'The keys of the identity provider could not be fetched.', {
        code: 'provider_unreachable',
      });
    return body as unknown as JSONWebKeySet;
  }

  /** The address of the keys, or of the discovery document until the keys' address is known. */
  get keysAddress(): string {
    return urlWithoutSecrets(this.keySet?.url ?? this.metadata.address);
  }

  /**
   * Fetches the keys if there are none, or they are old. @throws Refusal 502 or 504 when no usable
   * ones are available
   */
  async refreshKeys(): Promise<void> {
    await this.keysOf(await this.metadata.get()).getKeys();
  }

  /**
   * Claims of a token that this provider signed for one of the audiences.
   *
   * @param kind the media type of such tokens: what has another one (RFC 8725, 3.11) is refused.
   * @throws Refusal 401
   */
  private async verify(
    token: string,
    audiences: readonly string[],
    kind: 'jwt' | 'at+jwt',
  ): Promise<JWTPayload> {
    const metadata = await this.metadata.get();
    const keys = this.keysOf(metadata);
    try {
      // jose would also accept base64url with padding, so that one token had several spellings.
      if (!compactSerialization.test(token)) throw invalidTokenRefusal('it is malformed');
      const { crit, typ } = decodeProtectedHeader(token);
      if (crit !== undefined) throw invalidTokenRefusal('its header has crit');
      const type = mediaType(typ);
      if (type?.endsWith('+jwt') && type !== kind) throw invalidTokenRefusal(`its typ is ${type}`);
      const { payload } = await jwtVerify(token, keys.find, {
        algorithms: signatureAlgorithms,
        audience: [...audiences],
        requiredClaims: ['exp', 'iss', 'aud', 'sub'],
        clockTolerance: this.clockTolerance,
        currentDate: new Date(this.now() * 1000),
      });
      if (this.isInFuture(payload.iat)) throw invalidTokenRefusal('its iat lies in the future');
      if (!isIssuedBy(metadata, payload)) throw invalidTokenRefusal('the issuer is another one');
      if (payload['events'] !== undefined)
        throw invalidTokenRefusal('it is a statement about events');
      return { ...payload, exp: Math.min(payload.exp ?? 0, latestExpiry) };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // The library's messages are fixed texts with names of claims.
      if (error instanceof errors.JOSEError) throw invalidTokenRefusal(error.message);
      if (error instanceof TypeError) throw invalidTokenRefusal('it is malformed');
      throw error;
    }
  }

  /** Whether a time is in the future by more than the clock tolerance. */
  private isInFuture(time = 0): boolean {
    return time > this.now() + this.clockTolerance;
  }

  /**
   * Claims of a statement that this provider signed for one of the audiences.
   *
   * @throws Refusal 400 with a code of RFC 8935, 502 or 504 when the keys can't be fetched
   */
  async verifyStatement(
    token: string,
    audiences: readonly string[],
    { types, required }: StatementKind,
  ): Promise<JWTPayload> {
    const metadata = await this.metadata.get();
    try {
      if (!compactSerialization.test(token)) throw statementRefusal('it is malformed');
      const { crit, typ } = decodeProtectedHeader(token);
      if (!isIssuedBy(metadata, decodeJwt(token)))
        throw statementRefusal('the issuer is another one', 'invalid_issuer');
      if (crit !== undefined) throw statementRefusal('its header has crit');
      if (!types.includes(mediaType(typ)))
        throw statementRefusal(`its typ is not ${types[0] ?? ''}`);
      const { payload } = await jwtVerify(token, this.keysOf(metadata).find, {
        algorithms: signatureAlgorithms,
        audience: [...audiences],
        requiredClaims: [...required],
        clockTolerance: this.clockTolerance,
        currentDate: new Date(this.now() * 1000),
      });
      if (this.isInFuture(payload.iat)) throw statementRefusal('its iat lies in the future');
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError)
        throw statementRefusal(error.message, statementCode(error));
      if (error instanceof TypeError) throw statementRefusal('it is malformed');
      throw error;
    }
  }

  /**
   * Claims of an access token for one of the audiences. Refuses an ID token, which says who signed
   * in and not what its bearer may do: it has a nonce or the hash of another token, or names its
   * kind; in the directory it has neither scopes nor a calling application (app roles are in both).
   *
   * @throws Refusal 401
   */
  async verifyAccessToken(token: string, audiences: readonly string[]): Promise<JWTPayload> {
    const claims = await this.verify(token, audiences, 'at+jwt');
    // A bound token is valid only with a proof of its key (RFC 9449, 7.1), which is not supported.
    if (claims['cnf'] !== undefined) throw invalidTokenRefusal('it is bound to a key');
    const hasIdTokenClaims =
      ['nonce', 'at_hash', 'c_hash', 's_hash'].some((name) => claims[name] !== undefined) ||
      /^id$/i.test(String(claims['typ'] ?? claims['token_use'] ?? ''));
    const isDirectoryToken = claims['ver'] !== undefined;
    const hasGrants = ['scp', 'azp', 'appid', 'idtyp'].some((name) => claims[name] !== undefined);
    if (hasIdTokenClaims || (isDirectoryToken && !hasGrants))
      throw invalidTokenRefusal('it is an ID token, not an access token');
    return claims;
  }

  /**
   * Claims of an ID token that this provider signed for one of the audiences. Refuses one issued to
   * another client, by its `azp`, one for several audiences without `azp`, and one without `iat`
   * (OpenID Connect Core 2 and 3.1.3.7).
   *
   * @throws Refusal 401
   */
  async verifyIdToken(
    token: string,
    audiences: readonly string[] = [this.settings.clientId],
  ): Promise<JWTPayload> {
    const claims = await this.verify(token, audiences, 'jwt');
    const { azp, aud, iat } = claims;
    if (iat === undefined) throw invalidTokenRefusal('it has no iat');
    const hasSeveralAudiences = Array.isArray(aud) && aud.length > 1;
    if (azp === undefined ? hasSeveralAudiences : !audiences.includes(azp as string))
      throw invalidTokenRefusal('it was issued to another client');
    return claims;
  }

  /**
   * The claims of an ID token, completed by the user endpoint if the name or a claim that rules read
   * is missing.
   */
  async withUserClaims(
    claims: JWTPayload,
    accessToken: string | undefined,
    metadata: OpenIdMetadata,
    signal: AbortSignal,
  ): Promise<JWTPayload> {
    const { nameClaim, flavor, claimsUsedByRules } = this.settings;
    const hasName = (nameClaim === undefined ? nameClaims : [nameClaim]).some(
      (name) => claims[name] !== undefined,
    );
    // The directory's user endpoint knows no more than its ID token.
    const hasNeeded =
      flavor === 'directory' ||
      (claimsUsedByRules.requiredClaimNames.every((name) => claims[name] !== undefined) &&
        !hasGroupsElsewhere(claims));
    if (
      accessToken === undefined ||
      metadata.userInfoEndpoint === undefined ||
      (hasName && hasNeeded)
    )
      return claims;
    const userClaims = await this.fetchUserClaims(
      metadata.userInfoEndpoint,
      accessToken,
      signal,
    ).catch((error: unknown) => {
      // What the ID token lacks is then unknown, and a rule that reads it admits no one.
      if (error instanceof Refusal && error.status === 401) return {} as JsonObject;
      throw error;
    });
    if (userClaims['sub'] !== claims.sub) return claims;
    const isTokenComplete =
      claims['email_verified'] !== undefined || userClaims['email_verified'] === undefined;
    return withEmailFrom(
      { ...userClaims, ...claims },
      isTokenComplete ? [claims, userClaims] : [userClaims, claims],
    );
  }

  /** Claims of the user endpoint. @throws Refusal 401 */
  async fetchUserClaims(
    userInfoEndpoint: string,
    accessToken: string,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    if (!/^[\x21-\x7e]+$/.test(accessToken)) throw invalidTokenRefusal('it is malformed');
    const { status, body } = await this.http(userInfoEndpoint, {
      headers: { authorization: `Bearer ${accessToken}` },
      signal,
    });
    requireProviderAnswer(status, 'check the token');
    if (status !== 200) throw invalidTokenRefusal(`the user endpoint answered ${String(status)}`);
    return body;
  }
}

/** `typ` of a token's header: `application/` may be left out (RFC 7515, 4.1.9). */
function mediaType(typ: string | undefined): string | undefined {
  return typ?.toLowerCase().replace(/^application\//, '');
}

/** The error code of RFC 8935, 2.4, for a failed verification. */
function statementCode(error: errors.JOSEError): string {
  if (error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud')
    return 'invalid_audience';
  if (error instanceof errors.JWKSNoMatchingKey) return 'invalid_key';
  return error instanceof errors.JWSSignatureVerificationFailed
    ? 'authentication_failed'
    : 'invalid_request';
}
