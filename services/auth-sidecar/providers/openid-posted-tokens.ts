import type { OpenIdSettings, JsonObject } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import type { Log } from '../operations/log.js';
import { identityOf } from '../session/identity.js';
import type { SecondsClock } from '../seconds-clock.js';
import type { OpenIdTokens } from './openid-tokens.js';
import { invalidTokenRefusal } from './provider-refusals.js';
import { optionalString, requiredString } from './string-members.js';
import { expiryOf, type CompletedSignIn, type Tokens } from './provider.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** The claims of posted tokens after their verification, and the tokens to keep. */
interface PostedSignIn {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly tokens: Tokens;
  /** Of the token with the claims, in seconds since 1970; undefined for an opaque one. */
  readonly expiresAt: number | undefined;
}

function postedSignIn(
  claims: PostedSignIn['claims'],
  tokens: Tokens,
  expiresAt: number | undefined,
): PostedSignIn {
  return { claims, tokens, expiresAt };
}

/**
 * Accepts tokens of an OpenID Connect provider that a client posts to sign in. Which of them identifies
 * the person depends on the provider.
 */
export class OpenIdPostedTokens {
  constructor(
    private readonly settings: OpenIdSettings,
    private readonly openIdTokens: OpenIdTokens,
    private readonly now: SecondsClock,
    private readonly log?: Log,
  ) {}

  /** @throws Refusal 400, 401 or 403 */
  accept(body: JsonObject, signal: AbortSignal): Promise<PostedSignIn> {
    switch (this.settings.flavor) {
      case 'directory':
        return this.acceptAccessToken(body);
      case 'personal':
        return this.acceptPersonal(body, signal);
      default:
        return this.acceptIdToken(body, signal);
    }
  }

  private async acceptAccessToken(body: JsonObject): Promise<PostedSignIn> {
    const accessToken = requiredString(body, 'access_token');
    const claims = await this.openIdTokens.verifyAccessToken(
      accessToken,
      accessAudiences(this.settings),
    );
    const idToken = optionalString(body, 'id_token');
    if (idToken !== undefined) {
      const idClaims = await this.openIdTokens.verifyIdToken(
        idToken,
        identityAudiences(this.settings),
      );
      const isSamePerson =
        idClaims['oid'] !== undefined && claims['oid'] !== undefined
          ? idClaims['oid'] === claims['oid']
          : idClaims.sub === claims.sub;
      if (!isSamePerson) throw invalidTokenRefusal('id_token and access_token are of two people');
    }
    return postedSignIn(
      claims,
      this.postedTokens(body, { accessToken, idToken, expiresOn: claims.exp }),
      claims.exp,
    );
  }

  /** The authentication token decides if there is one, otherwise the access token. */
  private async acceptPersonal(body: JsonObject, signal: AbortSignal): Promise<PostedSignIn> {
    const authenticationToken = optionalString(body, 'authentication_token');
    if (authenticationToken !== undefined) {
      const claims = await this.openIdTokens.verifyIdToken(
        authenticationToken,
        identityAudiences(this.settings),
      );
      const accessToken = await this.accessTokenOfSamePerson(claims, body, signal);
      return postedSignIn(
        claims,
        this.postedTokens(body, { authenticationToken, accessToken, expiresOn: claims.exp }),
        claims.exp,
      );
    }
    const accessToken = optionalString(body, 'access_token');
    if (accessToken === undefined)
      throw new Refusal(400, 'The body needs authentication_token or access_token.', {
        code: 'invalid_request',
      });
    const userInfoEndpoint = await this.userInfoEndpoint();
    if (userInfoEndpoint === undefined)
      throw new Refusal(400, 'This provider takes no access tokens.', { code: 'invalid_request' });
    return postedSignIn(
      await this.openIdTokens.fetchUserClaims(userInfoEndpoint, accessToken, signal),
      this.postedTokens(body, { accessToken }),
      undefined,
    );
  }

  private async userInfoEndpoint(): Promise<string | undefined> {
    return (
      this.settings.userInfoEndpoint ?? (await this.openIdTokens.metadata.get()).userInfoEndpoint
    );
  }

  /**
   * An access token that is posted beside the token of a person; undefined unless the user endpoint
   * says that it is theirs: the app would take it for theirs. Where no user endpoint is known,
   * nothing can tell, and it is kept.
   */
  private async accessTokenOfSamePerson(
    { sub }: PostedSignIn['claims'],
    body: JsonObject,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const accessToken = optionalString(body, 'access_token');
    if (accessToken === undefined) return undefined;
    try {
      const endpoint = await this.userInfoEndpoint();
      if (endpoint === undefined) return accessToken;
      const user = await this.openIdTokens.fetchUserClaims(endpoint, accessToken, signal);
      if (user['sub'] === sub) return accessToken;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    const { key } = this.settings;
    this.log?.info('a posted access token proves nothing and is not kept', { provider: key });
    return undefined;
  }

  private async acceptIdToken(body: JsonObject, signal: AbortSignal): Promise<PostedSignIn> {
    const idToken = requiredString(body, 'id_token');
    const claims = await this.openIdTokens.verifyIdToken(idToken, identityAudiences(this.settings));
    const code = optionalString(body, 'authorization_code');
    let tokens = this.postedTokens(body, {
      idToken,
      accessToken: await this.accessTokenOfSamePerson(claims, body, signal),
      expiresOn: claims.exp,
    });
    if (code !== undefined) {
      // `postmessage` is what Google's sign-in library gets codes for, without a redirect.
      const redirectUri = optionalString(body, 'redirect_uri') ?? 'postmessage';
      const redeemedTokens = await this.openIdTokens.tokenEndpoint.redeem(
        await this.openIdTokens.metadata.get(),
        { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
        signal,
      );
      // Without an ID token, the code could be of anyone, and its tokens would prolong a stolen one.
      if (redeemedTokens.idToken === undefined)
        throw invalidTokenRefusal(
          'the code does not say whose it is: request it with the scope openid',
        );
      const redeemedClaims = await this.openIdTokens.verifyIdToken(
        redeemedTokens.idToken,
        identityAudiences(this.settings),
      );
      if (redeemedClaims.sub !== claims.sub)
        throw invalidTokenRefusal('the code is of another person');
      tokens = { ...tokens, ...redeemedTokens };
    }
    return postedSignIn(claims, tokens, claims.exp);
  }

  private postedTokens(
    body: JsonObject,
    tokens: {
      accessToken?: string | undefined;
      idToken?: string | undefined;
      authenticationToken?: string | undefined;
      expiresOn?: number | undefined;
    },
  ): Tokens {
    const refreshToken = optionalString(body, 'refresh_token');
    const expiresOn = expiryOf(body['expires_in'], this.now()) ?? tokens.expiresOn;
    return omitUndefined({ ...tokens, refreshToken, expiresOn });
  }
}

/** Audiences of access tokens for this app. */
export function accessAudiences({ clientId, audiences }: OpenIdSettings): string[] {
  return [clientId, `api://${clientId}`, ...audiences];
}

/** Audiences of ID tokens for this app. */
function identityAudiences({ clientId, audiences }: OpenIdSettings): string[] {
  return [clientId, ...audiences];
}

/**
 * A completed sign-in with verified claims; no rule has admitted the person yet.
 *
 * @param expiresAt of the token with the claims; undefined for claims of the user endpoint
 * @throws Refusal 401 when the claims identify no one
 */
export function signedInFromClaims(
  settings: OpenIdSettings,
  claims: Readonly<Record<string, unknown>>,
  tokens: Tokens,
  expiresAt: number | undefined,
): CompletedSignIn {
  const identity = identityOf(claims, settings.nameClaim, settings.claimsUsedByRules);
  if (identity === undefined) throw invalidTokenRefusal('the claims identify no one');
  if (expiresAt === undefined) return { identity, tokens };
  return { identity, tokens, expiresAt, issuedAt: Math.floor(Number(claims['iat'] ?? 0)) };
}
