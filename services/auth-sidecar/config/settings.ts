import type { Dialect } from '../../../core/dialect/dialect.js';

/** An object of parsed JSON or YAML. */
export type Plain = Readonly<Record<string, unknown>>;

/** What happens to a request without a sign-in. */
export type UnauthenticatedAction = 'redirect' | 'anonymous' | 'return401' | 'return403';

/** The configuration as the sidecar runs it: defaults filled in, secrets resolved, words of the dialect chosen. */
export interface SidecarSettings {
  readonly dialect: Dialect;
  /** `platform.enabled`; false: requests pass as anonymous, identity headers are still stripped, `/.auth` answers 404. */
  readonly enabled: boolean;
  readonly unauthenticated: UnauthenticatedAction;
  /** Key of the provider that unauthenticated browsers are sent to; undefined with several providers: a page lists them. */
  readonly redirectTo?: string;
  /** Each begins with a slash and ends without one; `/` is the root alone, an empty text the whole app. Lower case. */
  readonly excludedPaths: readonly string[];
  /** Domains of e-mail addresses that are let in, in ASCII and lower case; `*.` before one: the domains below it. Empty: any. */
  readonly emailDomains: readonly string[];
  /** `known`: only a request known to be plain HTTP is redirected (the setting isn't given). */
  readonly requireHttps: 'always' | 'known' | 'never';
  readonly forwarding: ForwardingSettings;
  /** Path prefix of the sidecar's own routes, such as `/.auth`. */
  readonly prefix: string;
  /** A path of the app that signs out, beside `{prefix}/logout`. */
  readonly logoutPath?: string;
  readonly allowedRedirects: readonly AllowedRedirect[];
  readonly session: { readonly providerDerived: boolean; readonly seconds: number };
  readonly nonce: { readonly validate: boolean; readonly seconds: number };
  readonly preserveFragments: boolean;
  readonly tokens: { readonly enabled: boolean; readonly graceSeconds: number; readonly blob?: BlobSettings };
  /** No `WWW-Authenticate` on 401 answers. */
  readonly silent401: boolean;
  readonly providers: readonly ProviderSettings[];
  /** Key material, the first writes, the others only read; empty: keys of this sidecar's own. */
  readonly keys: { readonly encryption: readonly string[]; readonly signing: readonly string[] };
  /** Warnings for the operator; without secrets. */
  readonly warnings: readonly string[];
}

/** `httpSettings.forwardProxy`. */
export interface ForwardingSettings {
  readonly convention: 'NoProxy' | 'Standard' | 'Custom';
  /** Lower case. */
  readonly hostHeader?: string;
  /** Lower case. */
  readonly protoHeader?: string;
}

/** A URL of `login.allowedExternalRedirectUrls`, without its query. */
export interface AllowedRedirect {
  /** Scheme and authority, such as `https://portal.example`. */
  readonly base: string;
  readonly path: string;
}

/** Where provider tokens go when a blob container is configured. */
export interface BlobSettings {
  readonly sasUrl?: string;
  readonly containerUri?: string;
  readonly clientId?: string;
  readonly managedIdentityResourceId?: string;
}

/** One configured provider. */
export type ProviderSettings = OpenIdSettings | OAuth2Settings | OAuth1Settings;

interface CommonProviderSettings {
  /** Key in `identityProviders`, or the name of a custom provider. */
  readonly key: string;
  /** Words of the path after `/login/`; the first one is the provider's name everywhere else. */
  readonly words: readonly [string, ...string[]];
  readonly label: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
}

/** A provider by OpenID Connect: directory, personal account, search engine, apple, custom ones. */
export interface OpenIdSettings extends CommonProviderSettings {
  readonly protocol: 'openid';
  /** Which client-directed body it takes and which claims it is known by. */
  readonly flavor: 'directory' | 'personal' | 'search' | 'apple' | 'custom';
  readonly issuer?: string;
  /** Discovery document; by default under the issuer. */
  readonly wellKnown?: string;
  /** Addresses given explicitly, without discovery. */
  readonly explicit?: { readonly authorization: string; readonly token: string; readonly keys: string };
  /** User endpoint for opaque access tokens. */
  readonly user?: string;
  readonly nameClaim?: string;
  readonly audiences: readonly string[];
  readonly policy: AuthorizationPolicy;
  /** Appended to the authorization request. */
  readonly loginParameters: readonly (readonly [string, string])[];
  /** Query parameters of the login request that are passed on. */
  readonly passedParameters: readonly string[];
  /** PEM with certificate and private key, instead of a client secret. */
  readonly certificate?: string;
}

/** Who is let in, beyond a valid token (directory provider). Empty lists don't restrict. */
export interface AuthorizationPolicy {
  readonly applications: readonly string[];
  readonly groups: readonly string[];
  readonly identities: readonly string[];
  readonly claimGroups: readonly string[];
  readonly claimApplications: readonly string[];
}

/** A provider by OAuth 2 and a user endpoint: social network, code host. */
export interface OAuth2Settings extends CommonProviderSettings {
  readonly protocol: 'oauth2';
  readonly flavor: 'social' | 'codehost';
  readonly authorization: string;
  readonly token: string;
  readonly user: string;
  /** Returns the app that a posted token was issued to (`facebook.debugToken`, `gitHub.checkToken`). */
  readonly inspection?: string;
}

/** The microblog provider: OAuth 1.0a. */
export interface OAuth1Settings extends CommonProviderSettings {
  readonly protocol: 'oauth1';
  readonly clientSecret: string;
  readonly requestToken: string;
  readonly authenticate: string;
  readonly accessToken: string;
  readonly user: string;
}
