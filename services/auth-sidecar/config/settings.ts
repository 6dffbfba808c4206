import type { Dialect } from '../../../core/dialect/dialect.js';

/** An object of parsed JSON or YAML. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The action for a request without a sign-in. */
export type UnauthenticatedAction = 'redirect' | 'anonymous' | 'return401' | 'return403';

/**
 * The configuration in the form that the sidecar uses: with defaults, resolved secrets, and the
 * words of the dialect.
 */
export interface SidecarSettings {
  readonly dialect: Dialect;
  /**
   * `platform.enabled`; false: requests are forwarded as anonymous, identity headers are still
   * removed, `/.auth` answers 404.
   */
  readonly enabled: boolean;
  /** What happens to requests without a sign-in. */
  readonly unauthenticated: UnauthenticatedAction;
  /**
   * Key of the provider to which unauthenticated browsers are sent; undefined with several
   * providers: a page lists them.
   */
  readonly redirectToProvider?: string;
  /**
   * Each starts with a slash and has none at its end; `/` is only the root, an empty text the whole
   * app. Lower case.
   */
  readonly excludedPaths: readonly string[];
  /**
   * Paths on which CORS preflight requests pass without a sign-in; in the form of `excludedPaths`.
   */
  readonly preflightPaths: readonly string[];
  readonly limits: Limits;
  /**
   * Admitted domains of e-mail addresses, in ASCII and lower case; with `*.` at the start: their
   * subdomains. Empty: any.
   */
  readonly emailDomains: readonly string[];
  /** By path, the longest first. */
  readonly requirements: readonly Requirement[];
  /**
   * Whether plain HTTP is redirected to HTTPS. `known`: only where the request is known to be plain
   * HTTP (the setting is absent).
   */
  readonly requireHttps: 'always' | 'known' | 'never';
  /** From which headers of trusted proxies the request's host and scheme are read. */
  readonly forwarding: ForwardingSettings;
  /** The protocol between sidecar and app. */
  readonly transport: 'http' | 'http2';
  /** Request headers to remove besides the usual ones, and usual ones to forward. */
  readonly headerExceptions: {
    readonly removed: readonly string[];
    readonly kept: readonly string[];
  };
  /** Which groups the app is told of: all for which a header has room, or those that rules name. */
  readonly forwardedGroups: 'all' | 'named';
  /** The content of `X-Forwarded-User`. */
  readonly forwardedUser: 'subject' | 'providerAndSubject';
  /** Path prefix of the sidecar's own routes, such as `/.auth`. */
  readonly apiPrefix: string;
  /** A path of the app that signs out, in addition to `{apiPrefix}/logout`. */
  readonly logoutPath?: string;
  /** Where browsers may be sent after signing in or out, besides the app itself. */
  readonly allowedRedirects: readonly AllowedRedirect[];
  readonly session: {
    /** Whether sessions end when the provider says (`IdentityProviderDerived`). */
    readonly providerDerived: boolean;
    /** How long the other sessions last. */
    readonly lifetimeSeconds: number;
    /** `login.sessions.keptBy`: what a session needs to exist. */
    readonly keptBy: SessionKeeping;
    /** After how many seconds the provider is asked again about the person. */
    readonly reevaluateAfter?: number;
  };
  /** Where the audit is written; undefined: nowhere. */
  readonly audit?: AuditTarget;
  /** Whether ID tokens must repeat the nonce, and how long a sign-in may take. */
  readonly nonce: { readonly validate: boolean; readonly lifetimeSeconds: number };
  /** Whether a page leads to the sign-in, which keeps the URL's fragment, not a redirect. */
  readonly preserveFragments: boolean;
  readonly tokens: {
    /** Whether the provider's tokens are kept (`login.tokenStore.enabled`). */
    readonly enabled: boolean;
    /** How long after its end a session can be refreshed (`tokenRefreshExtensionHours`). */
    readonly graceSeconds: number;
    /** Where they are kept. @default the store of `--token-store` */
    readonly blob?: BlobSettings;
  };
  /** No `WWW-Authenticate` on 401 answers. */
  readonly omitsChallenge: boolean;
  readonly providers: readonly ProviderSettings[];
  /** Issuers whose access tokens are accepted, but at which no one signs in. */
  readonly bearerIssuers: readonly OpenIdSettings[];
  /**
   * Key material: the first key encrypts, the others only decrypt; empty: the sidecar's own keys.
   */
  readonly keys: { readonly encryption: readonly string[]; readonly signing: readonly string[] };
  /** Warnings for the operator; without secrets. */
  readonly warnings: readonly string[];
}

/**
 * `login.sessions.keptBy`: what a session needs to exist. `cookie`: its cookie, and no entry in the
 * store that ends it; `store`: its entry in the store.
 */
export type SessionKeeping = 'cookie' | 'store';

/** `login.audit`: a file, or a stream of the process. */
export interface AuditTarget {
  /** A path. */
  readonly file?: string;
  readonly stream?: 'stdout' | 'stderr';
}

/** Limits of times, in seconds, and of sizes, in bytes. */
export interface Limits {
  /** How far the clock of a provider may differ. */
  readonly clockToleranceSeconds: number;
  /** The most bytes of a request's headers together. */
  readonly maxHeaderBytes: number;
  /** How long the app may be silent before its answer. */
  readonly appTimeoutSeconds: number;
  /** How long a provider may take for all calls of one request. */
  readonly providerTimeoutSeconds: number;
}

/** `httpSettings.forwardProxy`. */
export interface ForwardingSettings {
  /** `NoProxy`: from none; `Standard`: `X-Forwarded-*`; `Custom`: the two named here. */
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
  /** The whole path: a redirect to one below it is not allowed. */
  readonly path: string;
}

/** The blob container for provider tokens, if configured. */
export interface BlobSettings {
  /** The container's URL with a shared access signature. */
  readonly sasUrl?: string;
  /** The container's URL, which the managed identity opens. */
  readonly containerUri?: string;
  /** Of the user-assigned managed identity, not of an app. */
  readonly clientId?: string;
  readonly managedIdentityResourceId?: string;
}

/** The settings of one provider. */
export type ProviderSettings = OpenIdSettings | OAuth2Settings | OAuth1Settings;

/** The settings that providers of every protocol have. */
export interface CommonProviderSettings {
  /** Key in `identityProviders`, or the name of a custom provider. */
  readonly key: string;
  /** Segments of the path after `/login/`; the first one is the provider's name everywhere else. */
  readonly pathNames: readonly [string, ...string[]];
  /** Its name on pages, after "Sign in with". */
  readonly label: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  /** What a sign-in asks for. */
  readonly scopes: readonly string[];
  /** Whether `email` counts as verified although the provider does not say so. */
  readonly trustsEmail: boolean;
  /** Who is admitted of those whom the provider signs in. */
  readonly rules: AccessRules;
  /** The groups and claims that rules read. */
  readonly claimsUsedByRules: ClaimsUsedByRules;
}

/** Groups and claims that a person needs. Empty: no restriction. */
export interface AccessRules {
  /** One of these groups (`validation.allowedGroups`). */
  readonly groups: readonly string[];
  /** One of the values for each claim (`validation.requiredClaims`). */
  readonly claims: Readonly<Record<string, readonly string[]>>;
}

/**
 * The groups that rules name, and the claims that they or the sidecar itself read: they are kept
 * where a session can't hold all claims.
 */
export interface ClaimsUsedByRules {
  /** Ids or names, which are compared with the claim `groups`. */
  readonly groups: readonly string[];
  readonly claimNames: readonly string[];
  /** The claims without which a rule admits no one, or a header is empty. */
  readonly requiredClaimNames: readonly string[];
}

/** What people need for paths of the app, beyond a sign-in (`globalValidation.requirements`). */
export interface Requirement extends AccessRules {
  /** As declared, in lower case, without a slash at its end; empty for the whole app. */
  readonly path: string;
  /** The path in the form in which it is compared: decoded, with its letters normalized. */
  readonly canonicalPath: string;
  /** Accepted authentication contexts; one of them must be in the ID token. Empty: any. */
  readonly acrValues: readonly string[];
  /** The most seconds since the person entered credentials. */
  readonly maxAge?: number;
  /** Admitted domains, in the form of {@link SidecarSettings.emailDomains}. */
  readonly emailDomains: readonly string[];
}

/** Methods of OpenID Connect Core 9. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';

/** A provider by OpenID Connect: directory, personal account, search engine, apple, custom ones. */
export interface OpenIdSettings extends CommonProviderSettings {
  readonly protocol: 'openid';
  /**
   * The body that it accepts in client-directed sign-in, and the claims that identify it;
   * `bearer-issuer`: nobody signs in there, but the app accepts its bearer tokens.
   */
  readonly flavor: 'directory' | 'personal' | 'search' | 'apple' | 'custom' | 'bearer-issuer';
  /** @default the one that discovery states */
  readonly issuer?: string;
  /** Discovery document; by default below the issuer. */
  readonly wellKnown?: string;
  /** Explicit addresses, without discovery. */
  readonly explicitEndpoints?: {
    readonly authorizationEndpoint: string;
    readonly tokenEndpoint: string;
    readonly jwksUri: string;
  };
  /** User endpoint for opaque access tokens. */
  readonly userInfoEndpoint?: string;
  /** The address of the directory service's users, each of which has `getMemberObjects`. */
  readonly directoryUsersUrl?: string;
  /** The claim that is tried first for a person's name. @default the usual ones only */
  readonly nameClaim?: string;
  /** Accepted `aud` of tokens besides the app's own; of a bearer issuer the only ones. */
  readonly audiences: readonly string[];
  readonly policy: AuthorizationPolicy;
  /** Added to the authorization request. */
  readonly loginParameters: readonly (readonly [string, string])[];
  /** Query parameters of the login request that are forwarded. */
  readonly forwardedParameters: readonly string[];
  /** Private key with its certificate (PEM), or alone (PEM or JWK), instead of a client secret. */
  readonly certificate?: string;
  /** How the secret is sent (`registration.clientAuthMethod`). @default what discovery lists */
  readonly clientAuthMethod?: ClientAuthMethod;
}

/** Who is admitted with a valid token (directory provider). Empty lists do not restrict. */
export interface AuthorizationPolicy {
  /** Client ids of the applications that may call (`allowedApplications`). */
  readonly applications: readonly string[];
  /** `allowedPrincipals.groups`. */
  readonly groups: readonly string[];
  /** `allowedPrincipals.identities`. */
  readonly identities: readonly string[];
  /** `jwtClaimChecks.allowedGroups`. */
  readonly claimGroups: readonly string[];
  /** `jwtClaimChecks.allowedClientApplications`. */
  readonly claimApplications: readonly string[];
}

/** A provider by OAuth 2 and a user endpoint: social network, code host. */
export interface OAuth2Settings extends CommonProviderSettings {
  readonly protocol: 'oauth2';
  readonly flavor: 'social' | 'codehost';
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Says who the person of an access token is. */
  readonly userEndpoint: string;
  /**
   * Returns the app that a posted token was issued to (`facebook.debugToken`, `gitHub.checkToken`).
   */
  readonly tokenInspectionEndpoint?: string;
}

/** The microblog provider: OAuth 1.0a. */
export interface OAuth1Settings extends CommonProviderSettings {
  readonly protocol: 'oauth1';
  readonly clientSecret: string;
  readonly requestTokenEndpoint: string;
  readonly authenticateEndpoint: string;
  readonly accessTokenEndpoint: string;
  /** Says who the person of an access token is. */
  readonly userEndpoint: string;
}
