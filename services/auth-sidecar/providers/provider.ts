import type { ClaimsUsedByRules, JsonObject, ProviderSettings } from '../config/settings.js';
import type { Claims } from '../session/claims.js';
import type { EmailTrust, Identity } from '../session/identity.js';
import type { SecondsClock } from '../seconds-clock.js';
import { accessRuleNames, checkRules } from './authorization.js';
import type { Statement } from './session-statements.js';
import type { ProviderHttp } from './provider-http.js';

/** The tokens of a provider. */
export interface Tokens {
  readonly idToken?: string;
  readonly accessToken?: string;
  /** Belongs to the access token (OAuth 1). */
  readonly accessTokenSecret?: string;
  /** A token that a client posted to sign in with a personal account. */
  readonly authenticationToken?: string;
  readonly refreshToken?: string;
  /** Seconds since 1970. */
  readonly expiresOn?: number;
}

/** A completed sign-in. */
export interface CompletedSignIn {
  readonly identity: Identity;
  readonly tokens: Tokens;
  /**
   * When the provider's token that identifies the person expires, in seconds since 1970; sessions
   * end then by the convention `IdentityProviderDerived`.
   */
  readonly expiresAt?: number;
  /**
   * When that token was issued, in seconds since 1970; 0 if it does not say. Undefined for a token
   * that the provider itself was asked about.
   */
  readonly issuedAt?: number;
}

/** The values of one sign-in that its callback is checked with. */
export interface LoginAttempt {
  readonly redirectUri: string;
  readonly state: string;
  /** Undefined if nonces are not validated. */
  readonly nonce: string | undefined;
  /** The code verifier (PKCE, RFC 7636). */
  readonly verifier: string;
  /** A stronger or more recent sign-in than usual; `maxAge` is in seconds. */
  readonly stepUp?: { readonly acrValues: readonly string[]; readonly maxAge?: number };
  /** The `secret` of the {@link LoginRedirect} with which the sign-in began. */
  readonly secret?: string;
}

/** The address at which a browser signs in. */
export interface LoginRedirect {
  readonly location: string;
  /** The provider's own value that its callback repeats, if it is not our state (OAuth 1). */
  readonly state?: string;
  /** Stored, encrypted, in the login cookie. */
  readonly secret?: string;
}

/** An identity provider. The signal aborts every method. */
export interface Provider {
  /** Key in `identityProviders`, or the name of a custom provider. */
  readonly key: string;
  /** Its names in paths after `/login/`; the first one is its name everywhere else. */
  readonly pathNames: readonly [string, ...string[]];
  /** Its name on pages. */
  readonly label: string;
  /** The query parameter that brings the state back. */
  readonly stateParameter: 'state' | 'oauth_token';
  /** The parameters of a callback that are read, each at most once. */
  readonly callbackParameters: readonly string[];
  /** Query parameters of a login request that are forwarded to the provider. */
  readonly forwardedParameters: readonly string[];
  /** Whether the callback comes as a cross-site POST. */
  readonly usesFormPost: boolean;
  /** Whether claims pass the provider's rules. @throws Refusal 403 */
  authorize(claims: Claims): void;
  /** The settings that `authorize` checks. */
  readonly ruleNames: readonly string[];
  /** Where a browser signs in. @param parameters forwarded ones of the login request */
  beginLogin(
    attempt: LoginAttempt,
    parameters: readonly (readonly [string, string])[],
    signal: AbortSignal,
  ): Promise<LoginRedirect>;
  /** Redeems a callback, whose state was checked before. @throws Refusal */
  completeLogin(
    parameters: ReadonlyMap<string, string>,
    attempt: LoginAttempt,
    signal: AbortSignal,
  ): Promise<CompletedSignIn>;
  /**
   * Signs in by the tokens that a client posts (client-directed sign-in). @throws Refusal 400, 401 or
   * 403
   */
  acceptPostedTokens(body: JsonObject, signal: AbortSignal): Promise<CompletedSignIn>;
  /** Refreshes tokens; undefined if the provider cannot. @throws Refusal 403 when it refuses */
  readonly refresh?: (tokens: Tokens, signal: AbortSignal) => Promise<Tokens>;
  /**
   * The newest identity that the provider states, by the ID token among the tokens or by the user
   * endpoint; undefined if it states nothing.
   *
   * @throws Refusal 403 when it states another person, or the access token is no longer valid
   */
  readonly fetchIdentity?: (
    tokens: Tokens,
    previous: Identity,
    signal: AbortSignal,
  ) => Promise<Identity | undefined>;
  /**
   * Verifies a bearer token in `Authorization`; undefined if it is not a valid token of this
   * provider for this app.
   *
   * @param origin the origin of the request. @throws Refusal 403 by policy
   */
  readonly verifyBearerToken?: (
    token: string,
    origin: string,
    signal: AbortSignal,
  ) => Promise<CompletedSignIn | undefined>;
  /** Verifies signed statements about sessions. @throws Refusal 400 */
  readonly statements?: {
    /** A logout token (OpenID Connect Back-Channel Logout 1.0). */
    logout(token: string): Promise<Statement>;
    /** A security event token (RFC 8417). @param audiences names of this app beside its client id */
    event(token: string, audiences: readonly string[]): Promise<Statement>;
  };
  /** The address at which a browser signs out at the provider; undefined if there is none. */
  readonly signOut?: (
    tokens: Tokens | undefined,
    returnTo: string,
    state: string,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** The issuer of tokens for this app, for protected-resource metadata. */
  readonly issuer?: () => string | undefined;
  /** What a sign-in asks for. */
  readonly scopes: readonly string[];
  /**
   * The address of the signing keys, and a function that fetches them if they are missing or old.
   */
  readonly keySet?: { readonly address: () => string; readonly refresh: () => Promise<void> };
  /** The groups and claims that rules read. */
  readonly claimsUsedByRules: ClaimsUsedByRules;
  /** Which of its claims count as an e-mail address. */
  readonly emailTrust: EmailTrust;
}

/**
 * The latest time at which a token expires, in seconds since 1970: the end of the year 9999. Later
 * ones, of providers that mean "never", fit into no date.
 */
export const latestExpiry = 253_402_300_799;

/**
 * When a token with the lifetime of an answer expires; undefined for none.
 *
 * @param lifetime `expires_in`, in seconds
 * @param now seconds since 1970
 */
export function expiryOf(lifetime: unknown, now: number): number | undefined {
  const seconds = Number(lifetime);
  return Number.isFinite(seconds) && seconds > 0
    ? Math.min(now + Math.floor(seconds), latestExpiry)
    : undefined;
}

/** The part of a provider that follows from its settings alone. */
export abstract class ConfiguredProvider<Settings extends ProviderSettings> {
  readonly key: string;
  readonly pathNames: ProviderSettings['pathNames'];
  readonly label: string;
  readonly claimsUsedByRules: ClaimsUsedByRules;

  constructor(
    protected readonly settings: Settings,
    protected readonly http: ProviderHttp,
    protected readonly now: SecondsClock,
  ) {
    ({
      key: this.key,
      pathNames: this.pathNames,
      label: this.label,
      claimsUsedByRules: this.claimsUsedByRules,
    } = settings);
  }

  get ruleNames(): readonly string[] {
    return accessRuleNames(this.settings.rules);
  }

  authorize(claims: Claims): void {
    checkRules(claims, this.settings.rules);
  }
}
