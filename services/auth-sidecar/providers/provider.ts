import type { Plain, ProviderSettings } from '../config/settings.js';
import type { Identity } from '../session/identity.js';
import type { Seconds } from '../token-store/entry-store.js';
import type { ProviderHttp } from './provider-http.js';

/** What a provider gave besides an identity. */
export interface Tokens {
  readonly idToken?: string;
  readonly accessToken?: string;
  readonly accessTokenSecret?: string;
  readonly authenticationToken?: string;
  readonly refreshToken?: string;
  /** Seconds since 1970. */
  readonly expiresOn?: number;
}

/** A completed sign-in. */
export interface SignedIn {
  readonly identity: Identity;
  readonly tokens: Tokens;
  /** When the provider's own statement ends, in seconds since 1970 (`IdentityProviderDerived`). */
  readonly expiresAt?: number;
}

/** Secrets of one sign-in, from the sidecar to the provider and back. */
export interface LoginAttempt {
  readonly redirectUri: string;
  readonly state: string;
  /** Undefined when nonces aren't validated. */
  readonly nonce: string | undefined;
  /** PKCE. */
  readonly verifier: string;
  /** What the provider's `begin` asked to be kept. */
  readonly secret?: string;
}

/** Where a browser is sent to sign in. */
export interface LoginRedirect {
  readonly location: string;
  /** The provider's own value that its callback repeats, where it isn't our state (OAuth 1). */
  readonly state?: string;
  /** Kept, encrypted, in the login cookie. */
  readonly secret?: string;
}

/** One identity provider at work. Every method is given up when the signal says so. */
export interface Provider {
  readonly key: string;
  readonly words: readonly [string, ...string[]];
  readonly label: string;
  /** The query parameter that brings the state back. */
  readonly stateParameter: 'state' | 'oauth_token';
  /** Parameters of a callback that are read: each at most once. */
  readonly callbackParameters: readonly string[];
  /** Query parameters of a login request that are passed on to the provider. */
  readonly passedParameters: readonly string[];
  /** Whether the callback comes as a cross-site POST. */
  readonly formPost: boolean;
  begin(attempt: LoginAttempt, parameters: readonly (readonly [string, string])[], signal: AbortSignal): Promise<LoginRedirect>;
  /** Redeems what a callback brought. Its state was checked before. @throws Refusal */
  complete(parameters: ReadonlyMap<string, string>, attempt: LoginAttempt, signal: AbortSignal): Promise<SignedIn>;
  /** Client-directed sign-in. @throws Refusal 400, 401 or 403 */
  accept(body: Plain, signal: AbortSignal): Promise<SignedIn>;
  /** New tokens for old; undefined when the provider has no such thing. @throws Refusal 403 when it refuses */
  readonly refresh?: (tokens: Tokens, signal: AbortSignal) => Promise<Tokens>;
  /**
   * A bearer token of `Authorization`; undefined when it isn't a valid token of this provider for this app.
   *
   * @param origin the origin that it was sent to. @throws Refusal 403 by policy
   */
  readonly bearer?: (token: string, origin: string, signal: AbortSignal) => Promise<SignedIn | undefined>;
  /** Where a browser is sent to sign out at the provider; undefined when it has no such page. */
  readonly signOut?: (tokens: Tokens | undefined, returnTo: string, state: string, signal: AbortSignal) => Promise<string | undefined>;
  /** The issuer that tokens for this app come from, for protected-resource metadata. */
  readonly issuer?: () => string | undefined;
  readonly scopes: readonly string[];
  /** Where the keys of its tokens are, and what fetches them when they aren't there or are old. */
  readonly keySet?: { readonly address: () => string; readonly ask: () => Promise<void> };
  /** Whether an e-mail address counts as the person's own when the provider says nothing of having verified it. */
  readonly vouchesForEmail: boolean;
}

/** Leaves out what is undefined. */
export function compact(tokens: { readonly [Key in keyof Tokens]: Tokens[Key] | undefined }): Tokens {
  return Object.fromEntries(Object.entries(tokens).filter(([, value]) => value !== undefined)) as Tokens;
}

/** What every provider takes from its settings. */
export abstract class ConfiguredProvider<Settings extends ProviderSettings> {
  readonly key: string;
  readonly words: ProviderSettings['words'];
  readonly label: string;

  constructor(
    protected readonly settings: Settings,
    protected readonly http: ProviderHttp,
    protected readonly now: Seconds,
  ) {
    ({ key: this.key, words: this.words, label: this.label } = settings);
  }
}
