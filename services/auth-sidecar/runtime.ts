import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import type { ProviderSettings, SidecarSettings } from './config/settings.js';
import { OriginResolver, type PublicOrigin, type TrustedProxies } from './http/origin.js';
import { HeaderScrubber } from './http/request-headers.js';
import type { Audit } from './operations/audit.js';
import type { Log } from './operations/log.js';
import type { Metrics } from './operations/metrics.js';
import type { Theme } from './pages/theme.js';
import { Pages } from './pages/pages.js';
import { createProvider } from './providers/create.js';
import type { Provider } from './providers/provider.js';
import type { ProviderHttp } from './providers/provider-http.js';
import { SessionCodec } from './session/codec.js';
import { cookieNames, type CookieNames } from './session/cookies.js';
import { CrossSiteGuard } from './session/cross-site.js';
import { KeyRing } from './session/key-ring.js';
import type { LiveConnections } from './session/live-connections.js';
import { SessionRegister } from './session/session-register.js';
import { TokenKeeper } from './session/token-keeper.js';
import type { EntryStore, ListableStore, Seconds } from './token-store/entry-store.js';
import type { Http2App } from './upstream/http2-app.js';
import type { UpstreamPool } from './upstream/pool.js';

/** The parts that stay the same when the configuration changes. */
export interface RuntimeContext {
  readonly origins: readonly PublicOrigin[];
  readonly trusted: TrustedProxies;
  /** The sidecar terminates TLS itself. */
  readonly tls: boolean;
  readonly pool: UpstreamPool;
  /** The same app, where it speaks HTTP/2 (`httpSettings.transport`). */
  readonly http2App: Http2App;
  /** False if there is no app: other proxies ask for decisions. */
  readonly hasApp: boolean;
  readonly store: ListableStore;
  /** Logs at intervals that the token store did not answer. */
  readonly storeFailed: (error: Error) => void;
  /** Key material for a configuration without keys. */
  readonly ownKey: Buffer;
  readonly sessionCache: number;
  /** Whether to send `X-Forwarded-User`, `-Email` and `-Groups` to the app, too. */
  readonly forwardsUser: boolean;
  /** The configuration of now. */
  readonly current: () => Runtime;
  /** Connections that end with their session. */
  readonly live: LiveConnections;
  readonly http: ProviderHttp;
  readonly now: Seconds;
  /** The same time, with its part of a second. */
  readonly date: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly audit: Audit;
}

/**
 * An active configuration. A reload creates a new one; running requests finish with the old one.
 */
export interface Runtime extends RuntimeContext {
  readonly settings: SidecarSettings;
  readonly providers: ReadonlyMap<string, Provider>;
  /** Whose access tokens are taken. */
  readonly bearerTakers: readonly Provider[];
  readonly providersByWord: ReadonlyMap<string, Provider>;
  readonly keys: KeyRing;
  readonly sessions: SessionCodec;
  readonly keeper: TokenKeeper;
  readonly register: SessionRegister;
  readonly scrubber: HeaderScrubber;
  readonly resolver: OriginResolver;
  readonly guard: CrossSiteGuard;
  readonly pages: Pages;
  readonly cookies: { readonly secure: CookieNames; readonly plain: CookieNames };
}

/**
 * Activates a configuration. @param blobStore the store of tokens, if a blob container is
 * configured
 */
export function createRuntime(
  settings: SidecarSettings,
  context: RuntimeContext,
  theme: Theme,
  blobStore?: EntryStore,
): Runtime {
  const { origins, trusted, tls, store, ownKey, sessionCache, live, http, now } = context;
  const { forwardsUser, log } = context;
  const keys = KeyRing.of(settings.keys.encryption, settings.keys.signing, ownKey);
  const make = (each: ProviderSettings): Provider =>
    createProvider(
      forwardsUser ? withHeaderClaims(each) : each,
      http,
      now,
      settings.limits.clockToleranceSeconds,
      log,
    );
  const providers = settings.providers.map(make);
  const { dialect, forwarding } = settings;
  const forwardingHeaders = [forwarding.hostHeader, forwarding.protoHeader].filter(
    (name): name is string => name !== undefined,
  );
  const byKey = new Map(providers.map((provider) => [provider.key, provider]));
  return {
    ...context,
    settings,
    providers: byKey,
    bearerTakers: [...providers, ...settings.bearerIssuers.map(make)].filter(
      ({ bearer }) => bearer !== undefined,
    ),
    providersByWord: new Map(
      providers.flatMap((provider) => provider.pathNames.map((word) => [word, provider] as const)),
    ),
    keys,
    sessions: new SessionCodec(keys, sessionCache),
    keeper: new TokenKeeper(
      store,
      settings.tokens.enabled ? (blobStore ?? store) : undefined,
      keys,
      (id) => live.endOf(id),
      settings.session.keptBy,
    ),
    register: new SessionRegister(store, keys),
    scrubber: new HeaderScrubber(
      inDialect(dialectWords.sessionHeader, dialect).toLowerCase(),
      forwardingHeaders,
      settings.headerExceptions,
      settings.limits.maxHeaderBytes,
    ),
    resolver: new OriginResolver(origins, forwarding, trusted, tls),
    guard: new CrossSiteGuard(origins, settings.allowedRedirects),
    pages: new Pages(theme),
    cookies: { secure: cookieNames(dialect, true), plain: cookieNames(dialect, false) },
  };
}

/** A provider whose user endpoint is also asked for what the headers about the user need. */
function withHeaderClaims(settings: ProviderSettings): ProviderSettings {
  const { decisive } = settings;
  const needed = [...new Set([...decisive.needed, 'email', 'groups'])];
  return { ...settings, decisive: { ...decisive, needed } };
}
