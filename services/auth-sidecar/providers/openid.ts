import type { JWTPayload } from 'jose';
import type { OpenIdSettings, JsonObject } from '../config/settings.js';
import { Refusal, refusalIn } from '../http/refusal.js';
import type { Log } from '../operations/log.js';
import type { SecondsClock } from '../seconds-clock.js';
import { GroupOverage } from './group-overage.js';
import {
  isIssuedBy,
  isMultiTenantIssuer,
  type MetadataSource,
  type OpenIdMetadata,
} from './openid-metadata.js';
import { bearerClaims } from './openid-bearer.js';
import { OpenIdPostedTokens, signedInFromClaims } from './openid-posted-tokens.js';
import { authorizationUrl, endSessionUrl } from './openid-requests.js';
import { logoutToken, OpenIdTokens, securityEvent } from './openid-tokens.js';
import {
  ConfiguredProvider,
  type LoginAttempt,
  type LoginRedirect,
  type Provider,
  type CompletedSignIn,
  type Tokens,
} from './provider.js';
import type { ProviderHttp } from './provider-http.js';
import { eventStatement, logoutStatement, type Statement } from './session-statements.js';
import { authorize, policyRuleNames } from './authorization.js';
import type { Claims } from '../session/claims.js';
import { type EmailTrust, type Identity, identityOf, withEmailFrom } from '../session/identity.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/**
 * An OpenID Connect provider: authorization code with state, nonce and PKCE; posted tokens; bearer
 * tokens for the directory.
 */
export class OpenIdProvider extends ConfiguredProvider<OpenIdSettings> implements Provider {
  readonly scopes = this.settings.scopes;
  readonly stateParameter = 'state';
  readonly callbackParameters = [
    'state',
    'code',
    'error',
    'error_description',
    'iss',
    'session_state',
    'id_token',
  ];
  readonly forwardedParameters = this.settings.forwardedParameters;
  readonly usesFormPost: boolean;
  readonly emailTrust: EmailTrust;
  private readonly metadata: MetadataSource;
  private readonly openIdTokens: OpenIdTokens;
  private readonly postedTokens: OpenIdPostedTokens;
  private readonly overage: GroupOverage;

  constructor(
    settings: OpenIdSettings,
    http: ProviderHttp,
    now: SecondsClock,
    clockTolerance: number,
    log?: Log,
  ) {
    super(settings, http, now);
    this.usesFormPost = settings.flavor === 'apple' && settings.scopes.length > 1;
    this.emailTrust = emailTrustOf(settings);
    this.openIdTokens = new OpenIdTokens(settings, http, now, clockTolerance);
    this.overage = new GroupOverage(settings, this.openIdTokens, http, now, log);
    this.postedTokens = new OpenIdPostedTokens(settings, this.openIdTokens, now, log);
    this.metadata = this.openIdTokens.metadata;
    if (settings.flavor === 'directory' || settings.flavor === 'bearer-issuer')
      this.verifyBearerToken = (token, origin, signal) => this.verifyBearer(token, origin, signal);
  }

  override authorize(claims: Claims): void {
    const { flavor, policy, clientId } = this.settings;
    if (flavor === 'directory') authorize(claims, policy, clientId);
    super.authorize(claims);
  }

  override get ruleNames(): readonly string[] {
    const { flavor, policy } = this.settings;
    return [...(flavor === 'directory' ? policyRuleNames(policy) : []), ...super.ruleNames];
  }

  readonly keySet = {
    address: (): string => this.openIdTokens.keysAddress,
    refresh: (): Promise<void> => this.openIdTokens.refreshKeys(),
  };

  readonly issuer = (): string | undefined => this.metadata.issuer;

  async beginLogin(
    attempt: LoginAttempt,
    parameters: readonly (readonly [string, string])[],
  ): Promise<LoginRedirect> {
    const metadata = await this.metadata.get();
    const { settings, usesFormPost } = this;
    return { location: authorizationUrl(settings, metadata, attempt, parameters, usesFormPost) };
  }

  async completeLogin(
    parameters: ReadonlyMap<string, string>,
    attempt: LoginAttempt,
    signal: AbortSignal,
  ): Promise<CompletedSignIn> {
    const metadata = await this.metadata.get();
    const iss = parameters.get('iss');
    if (
      iss === undefined
        ? metadata.sendsIss
        : iss !== metadata.issuer && !isIssuedBy(metadata, { iss, tid: iss.split('/')[3] })
    )
      throw new Refusal(401, 'The answer comes from another identity provider.', {
        code: 'issuer_mismatch',
      });
    const code = parameters.get('code');
    if (code === undefined)
      throw new Refusal(400, 'The answer of the identity provider carries no code.', {
        code: 'invalid_callback',
      });
    const tokens = await this.openIdTokens.tokenEndpoint.redeem(
      metadata,
      {
        grant_type: 'authorization_code',
        code,
        redirect_uri: attempt.redirectUri,
        code_verifier: attempt.verifier,
      },
      signal,
    );
    if (tokens.idToken === undefined)
      throw new Refusal(502, 'The identity provider gave no ID token.', {
        code: 'provider_unusable',
      });
    const claims = await this.openIdTokens.verifyIdToken(tokens.idToken);
    if (attempt.nonce !== undefined && claims['nonce'] !== attempt.nonce)
      throw new Refusal(401, 'The ID token was not issued for this sign-in.', {
        code: 'nonce_mismatch',
      });
    return signedInFromClaims(
      this.settings,
      await this.allClaims(claims, tokens.accessToken, metadata, signal),
      tokens,
      claims.exp,
    );
  }

  async acceptPostedTokens(body: JsonObject, signal: AbortSignal): Promise<CompletedSignIn> {
    const { claims, tokens, expiresAt } = await this.postedTokens.accept(body, signal);
    const claimsWithGroups = await this.overage.withAllGroups(claims, this.isAdmitted, signal);
    return signedInFromClaims(this.settings, claimsWithGroups, tokens, expiresAt);
  }

  /** The claims of a verified ID token, completed by the user endpoint and the directory's groups. */
  private async allClaims(
    claims: JWTPayload,
    accessToken: string | undefined,
    metadata: OpenIdMetadata,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const claimsWithUser = await this.openIdTokens.withUserClaims(
      claims,
      accessToken,
      metadata,
      signal,
    );
    return this.overage.withAllGroups(claimsWithUser, this.isAdmitted, signal);
  }

  private readonly isAdmitted = (claims: Readonly<Record<string, unknown>>): boolean => {
    const identity = identityOf(claims, this.settings.nameClaim, this.settings.claimsUsedByRules);
    return identity !== undefined && refusalIn(() => this.authorize(identity.claims)) === undefined;
  };

  readonly refresh = async (tokens: Tokens, signal: AbortSignal): Promise<Tokens> => {
    if (tokens.refreshToken === undefined)
      throw new Refusal(
        403,
        'The identity provider gave no refresh token; ask for offline access at sign-in.',
        {
          code: 'no_refresh_token',
        },
      );
    const newTokens = await this.openIdTokens.tokenEndpoint.redeem(
      await this.metadata.get(),
      { grant_type: 'refresh_token', refresh_token: tokens.refreshToken },
      signal,
    );
    // The known time is that of the access token before; an answer may leave the new one's out.
    const { expiresOn: _, ...otherTokens } = tokens;
    return newTokens.accessToken === undefined
      ? { ...tokens, ...newTokens }
      : { ...otherTokens, ...newTokens };
  };

  /** The newest identity of a person, by a new ID token or the user endpoint. */
  readonly fetchIdentity = async (
    tokens: Tokens,
    previous: Identity,
    signal: AbortSignal,
  ): Promise<Identity | undefined> => {
    const { idToken, accessToken } = tokens;
    const { flavor } = this.settings;
    const metadata = await this.metadata.get();
    let claims: Readonly<Record<string, unknown>>;
    if (idToken !== undefined) {
      const idTokenClaims = await this.openIdTokens.verifyIdToken(idToken);
      claims = await this.allClaims(idTokenClaims, accessToken, metadata, signal);
    } else if (
      // The directory's access tokens are for the app, not for its user endpoint.
      flavor !== 'directory' &&
      metadata.userInfoEndpoint !== undefined &&
      accessToken !== undefined
    ) {
      const userClaims = await this.openIdTokens.fetchUserClaims(
        metadata.userInfoEndpoint,
        accessToken,
        signal,
      );
      if (!isSamePerson(userClaims, previous)) throw otherPersonRefusal();
      // What the ID token said about the sign-in itself stays.
      claims = withEmailFrom({ ...previous.claims, ...userClaims }, [userClaims, previous.claims]);
    } else return undefined;
    if (!isSamePerson(claims, previous)) throw otherPersonRefusal();
    const identity = identityOf(claims, this.settings.nameClaim, this.settings.claimsUsedByRules);
    if (identity === undefined) throw otherPersonRefusal();
    return identity;
  };

  /** The directory, and issuers of the configuration, issue tokens for this app to other programs. */
  readonly verifyBearerToken?: Provider['verifyBearerToken'];

  private async verifyBearer(
    token: string,
    origin: string,
    signal: AbortSignal,
  ): Promise<CompletedSignIn | undefined> {
    try {
      const claims = await bearerClaims(this.settings, this.openIdTokens, token, origin);
      if (claims === undefined) return undefined;
      return signedInFromClaims(
        this.settings,
        await this.overage.withAllGroups(claims, this.isAdmitted, signal, 'cached'),
        { accessToken: token, ...omitUndefined({ expiresOn: claims.exp }) },
        claims.exp,
      );
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return undefined;
      throw error;
    }
  }

  readonly statements = {
    logout: async (token: string): Promise<Statement> =>
      logoutStatement(
        await this.openIdTokens.verifyStatement(token, [this.settings.clientId], logoutToken),
      ),
    event: async (token: string, audiences: readonly string[]): Promise<Statement> => {
      const { clientId, audiences: configuredAudiences } = this.settings;
      const acceptedAudiences = [clientId, ...configuredAudiences, ...audiences];
      return eventStatement(
        await this.openIdTokens.verifyStatement(token, acceptedAudiences, securityEvent),
      );
    },
  };

  readonly signOut = async (
    tokens: Tokens | undefined,
    returnTo: string,
    state: string,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const { flavor } = this.settings;
    if (flavor === 'personal' || flavor === 'apple') return undefined;
    const metadata = await this.metadata.get();
    if (metadata.endSessionEndpoint !== undefined)
      return endSessionUrl(
        this.settings,
        metadata.endSessionEndpoint,
        tokens?.idToken,
        returnTo,
        state,
      );
    const token = tokens?.refreshToken ?? tokens?.accessToken;
    if (metadata.revocationEndpoint !== undefined && token !== undefined)
      await this.http(metadata.revocationEndpoint, {
        form: new URLSearchParams({ token }),
        signal,
      });
    return undefined;
  };
}

function isSamePerson(claims: Readonly<Record<string, unknown>>, previous: Identity): boolean {
  const subject = previous.claims['sub'];
  return subject === undefined ? claims['sub'] === previous.id : claims['sub'] === subject;
}

function otherPersonRefusal(): Refusal {
  return new Refusal(403, 'The identity provider stated another person.', {
    code: 'refresh_failed',
  });
}

/** Names count as addresses only in a directory of one tenant, whose administrators set them. */
function emailTrustOf({ flavor, wellKnown, issuer, trustsEmail }: OpenIdSettings): EmailTrust {
  if (flavor === 'directory' && !isMultiTenantIssuer(wellKnown ?? issuer ?? '')) return 'usernames';
  if (trustsEmail) return 'unverified';
  return flavor === 'directory' ? 'directory' : 'verified';
}
