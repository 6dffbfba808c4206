import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import type { ProviderSettings, SidecarSettings } from './config/settings.js';
import { OriginResolver, type PublicOrigin, type IsTrustedProxy } from './http/origin.js';
import { HeaderScrubber } from './http/request-headers.js';
import type { ConfiguredAudit } from './operations/audit.js';
import type { Log } from './operations/log.js';
import type { Metrics } from './operations/metrics.js';
import type { Theme } from './pages/theme.js';
import { Pages } from './pages/pages.js';
import { createProvider } from './providers/create-provider.js';
import type { Provider } from './providers/provider.js';
import type { ProviderHttp } from './providers/provider-http.js';
import { SessionCodec } from './session/session-codec.js';
import { cookieNames, type CookieNames } from './session/cookies.js';
import { CrossSiteGuard } from './session/cross-site.js';
import { KeyRing } from './session/key-ring.js';
import type { LiveConnections } from './session/live-connections.js';
import { SessionRegister } from './session/session-register.js';
import { SessionStore } from './session/session-store.js';
import type { EntryStore, ListableStore } from './token-store/entry-store.js';
import type { SecondsClock } from './seconds-clock.js';
import type { Http2App } from './upstream/http2-app.js';
import type { UpstreamPool } from './upstream/pool.js';

/** The parts that stay the same when the configuration changes. */
export interface RuntimeContext {
  /** The app's public addresses (`--public-origin`). */
  readonly origins: readonly PublicOrigin[];
  readonly isTrustedProxy: IsTrustedProxy;
  /** Whether the sidecar terminates TLS itself. */
  readonly terminatesTls: boolean;
  /** Connections to the app over HTTP/1.1. */
  readonly pool: UpstreamPool;
  /** The app over HTTP/2, used instead of `pool` if `httpSettings.transport` says so. */
  readonly http2App: Http2App;
  /** Whether there is an app behind the sidecar; without one, other proxies ask for decisions. */
  readonly hasApp: boolean;
  /** The token store, which also remembers ended sessions and used states. */
  readonly store: ListableStore;
  /** Logs that the token store did not answer, not more often than every 10 seconds. */
  readonly reportStoreFailure: (error: Error) => void;
  /** Key material for a configuration without keys. */
  readonly generatedKey: Buffer;
  /** How many decrypted sessions are kept in memory; 0: none. */
  readonly sessionCacheSize: number;
  /** Whether to send `X-Forwarded-User`, `-Email` and `-Groups` to the app, too. */
  readonly forwardsUser: boolean;
  /** The runtime of the latest configuration. */
  readonly currentRuntime: () => Runtime;
  /** Connections that end with their session. */
  readonly liveConnections: LiveConnections;
  /** Calls identity providers. */
  readonly http: ProviderHttp;
  /** Whole seconds since 1970. */
  readonly now: SecondsClock;
  /** The same time as `now`, with milliseconds. */
  readonly date: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly audit: Pick<ConfiguredAudit, 'write'>;
}

/**
 * An active configuration. A reload creates a new one; running requests finish with the old one.
 */
export interface Runtime extends RuntimeContext {
  readonly settings: SidecarSettings;
  /** By their keys. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** The providers whose access tokens are accepted. */
  readonly bearerProviders: readonly Provider[];
  /** By each of their names in paths after `/login/`. */
  readonly providersByPathName: ReadonlyMap<string, Provider>;
  /** Encrypts and decrypts cookies, session tokens and store entries. */
  readonly keys: KeyRing;
  /** Encrypts and decrypts sessions, which cookies and session tokens hold. */
  readonly sessionCodec: SessionCodec;
  /** Whether sessions have ended, and the tokens of their providers. */
  readonly sessionStore: SessionStore;
  /** The list of sessions by which operators and providers end them. */
  readonly sessionRegister: SessionRegister;
  readonly headerScrubber: HeaderScrubber;
  readonly originResolver: OriginResolver;
  readonly crossSiteGuard: CrossSiteGuard;
  readonly pages: Pages;
  /** Under https origins and under plain HTTP ones. */
  readonly cookieNames: { readonly secure: CookieNames; readonly plain: CookieNames };
}

/**
 * Activates a configuration.
 *
 * @param blobStore the store of provider tokens, if a blob container is configured.
 */
export function createRuntime(
  settings: SidecarSettings,
  context: RuntimeContext,
  theme: Theme,
  blobStore?: EntryStore,
): Runtime {
  const {
    origins,
    isTrustedProxy,
    terminatesTls,
    store,
    generatedKey: ownKey,
    sessionCacheSize,
    liveConnections,
    http,
    now,
  } = context;
  const { forwardsUser, log } = context;
  const keys = KeyRing.of(settings.keys.encryption, settings.keys.signing, ownKey);
  const activateProvider = (each: ProviderSettings): Provider =>
    createProvider(
      forwardsUser ? withHeaderClaims(each) : each,
      http,
      now,
      settings.limits.clockToleranceSeconds,
      log,
    );
  const providers = settings.providers.map(activateProvider);
  const { dialect, forwarding } = settings;
  const forwardingHeaders = [forwarding.hostHeader, forwarding.protoHeader].filter(
    (name): name is string => name !== undefined,
  );
  const byKey = new Map(providers.map((provider) => [provider.key, provider]));
  return {
    ...context,
    settings,
    providers: byKey,
    bearerProviders: [...providers, ...settings.bearerIssuers.map(activateProvider)].filter(
      ({ verifyBearerToken }) => verifyBearerToken !== undefined,
    ),
    providersByPathName: new Map(
      providers.flatMap((provider) => provider.pathNames.map((name) => [name, provider] as const)),
    ),
    keys,
    sessionCodec: new SessionCodec(keys, sessionCacheSize),
    sessionStore: new SessionStore(
      store,
      settings.tokens.enabled ? (blobStore ?? store) : undefined,
      keys,
      (id) => liveConnections.endSession(id),
      settings.session.keptBy,
    ),
    sessionRegister: new SessionRegister(store, keys),
    headerScrubber: new HeaderScrubber(
      inDialect(dialectWords.sessionHeader, dialect).toLowerCase(),
      forwardingHeaders,
      settings.headerExceptions,
      settings.limits.maxHeaderBytes,
    ),
    originResolver: new OriginResolver(origins, forwarding, isTrustedProxy, terminatesTls),
    crossSiteGuard: new CrossSiteGuard(origins, settings.allowedRedirects),
    pages: new Pages(theme),
    cookieNames: { secure: cookieNames(dialect, true), plain: cookieNames(dialect, false) },
  };
}

/** The settings of a provider that is also asked for the claims of the forwarded user headers. */
function withHeaderClaims(settings: ProviderSettings): ProviderSettings {
  const { claimsUsedByRules } = settings;
  const requiredClaimNames = [
    ...new Set([...claimsUsedByRules.requiredClaimNames, 'email', 'groups']),
  ];
  return { ...settings, claimsUsedByRules: { ...claimsUsedByRules, requiredClaimNames } };
}
