import type { AddressInfo, Server } from 'node:net';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { loadConfig } from '../config/load-config.js';
import { redactedProblems } from '../config/problems.js';
import type { SidecarSettings } from '../config/settings.js';
import { parseOrigins, trustedProxyCheck } from '../http/origin.js';
import { readTheme, defaultTheme } from '../pages/theme.js';
import { createProviderHttp } from '../providers/provider-http.js';
import { createRuntime, type Runtime, type RuntimeContext } from '../runtime.js';
import { LiveConnections } from '../session/live-connections.js';
import { createSidecarServer } from '../sidecar-server.js';
import { openBlobStore } from '../token-store/blob-store.js';
import type { ListableStore } from '../token-store/entry-store.js';
import type { SecondsClock } from '../seconds-clock.js';
import { openOnFirstUse, openStore } from '../token-store/open-store.js';
import { Http2App } from '../upstream/http2-app.js';
import { parseUpstream, type UpstreamAddress, UpstreamPool } from '../upstream/pool.js';
import { ConfiguredAudit } from './audit.js';
import { openClock } from './clock.js';
import { urlWithoutSecrets } from './external-call-error.js';
import { createLog, errorFields, type Log } from './log.js';
import { Metrics, type MetricsSnapshot } from './metrics.js';
import {
  configSource,
  parseListen,
  reachableUrl,
  readTls,
  type SidecarOptions,
} from './options.js';
import {
  administerSessions,
  type SessionsAnswer,
  type SessionsRequest,
} from './administer-sessions.js';
import { type Readiness, checkReadiness } from './readiness.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** What all workers of a sidecar share. */
export interface SharedWorkerOptions {
  /** Key material for a configuration without keys, base64. */
  readonly generatedKey: string;
  /** URL of the store, such as `sqlite:FILE`. */
  readonly tokenStore: string;
  /** Notes about the store for the log. */
  readonly notice?: string;
  /** Number of this worker, from 1. @default it is the only process */
  readonly worker?: number;
  /** Whether it takes the place of a worker that has ended. @default false */
  readonly isReplacement?: boolean;
}

/** A process that serves requests. */
export interface Worker {
  /** URL of the public port. */
  readonly url: string;
  readonly log: Log;
  /** Reloads the files; invalid content is logged and changes nothing. */
  reload(): boolean;
  snapshot(): Promise<MetricsSnapshot>;
  /** Lists or ends sessions for an operator. */
  administerSessions(request: SessionsRequest): Promise<SessionsAnswer>;
  /** Whether requests can be served now, and what is down. */
  readiness(): Promise<Readiness>;
  /** Waits for running requests and closes everything. */
  stop(): Promise<void>;
}

/** Starts serving. @throws CAS6001 and CAS6004 to CAS6006 */
export async function startWorker(
  options: SidecarOptions,
  shared: SharedWorkerOptions,
): Promise<Worker> {
  const inputs = readInputs(options, shared);
  const openedStore = await openTokenStore(options, shared, inputs.log, inputs.clock.seconds);
  try {
    return await serve(options, shared, inputs, openedStore);
  } catch (error) {
    await openedStore.store.close(); // its connections would keep the process running
    throw error;
  }
}

/** The configuration, and what the options say of addresses, files and time. @throws CAS6001, CAS6004 */
function readInputs(options: SidecarOptions, { worker }: SharedWorkerOptions) {
  const log = createLog(options.logLevel, worker);
  return {
    settings: loadConfig(configSource(options)),
    address: parseListen(options.listen, '--listen'),
    tls: readTls(options),
    upstream: upstreamOf(options),
    origins: parseOrigins(options.publicOrigins),
    isTrustedProxy: trustedProxyCheck(options.trustedProxies),
    log,
    clock: openClock(options.clock, (message) => log.warn(message)),
  };
}

async function serve(
  options: SidecarOptions,
  shared: SharedWorkerOptions,
  inputs: ReturnType<typeof readInputs>,
  { store, reportStoreFailure, storeAddress }: OpenedStore,
): Promise<Worker> {
  const { settings, address, tls, upstream, origins, isTrustedProxy, log, clock } = inputs;
  const metrics = new Metrics();
  const configuredAudit = new ConfiguredAudit(
    atMostEvery(10_000, (error) => log.error('the audit was not written', errorFields(error))),
    clock.date,
  );
  configuredAudit.configure(settings.audit);
  const pool = new UpstreamPool(upstream ?? noUpstream);
  const base = {
    currentRuntime: (): Runtime => runtime,
    isTrustedProxy,
    terminatesTls: tls !== undefined,
    pool,
    http2App: new Http2App(pool.url),
    hasApp: upstream !== undefined,
    store,
    reportStoreFailure,
    generatedKey: Buffer.from(shared.generatedKey, 'base64'),
    sessionCacheSize: options.sessionCache,
    forwardsUser: options.forwardUserHeaders === true,
    liveConnections: new LiveConnections(),
    http: createProviderHttp((failure) =>
      log.warn('the identity provider did not answer', errorFields(failure)),
    ),
    now: clock.seconds,
    date: clock.date,
    log,
    metrics,
    audit: configuredAudit,
  };
  let runtime: Runtime = activate(settings, { ...base, origins }, options);
  let isDraining = false;
  const { server, drain } = createSidecarServer(() => runtime, tls, {
    headersMs: (options.headerSeconds ?? 15) * 1000,
    clientIdleMs: (options.bodySeconds ?? 60) * 1000,
  });
  const url = reachableUrl(
    address,
    await listen(server, address, options.listen),
    tls !== undefined,
  );
  const context: RuntimeContext = {
    ...base,
    origins: origins.length > 0 ? origins : parseOrigins([url]),
  };
  runtime = activate(settings, context, options);
  for (const warning of [
    ...settings.warnings,
    ...(shared.notice === undefined ? [] : [shared.notice]),
  ])
    log.warn(warning);
  return {
    url,
    log,
    reload: () => {
      try {
        const reloadedSettings = loadConfig(configSource(options));
        const reloadedRuntime = activate(reloadedSettings, context, options);
        const tlsFiles = readTls(options);
        configuredAudit.configure(reloadedSettings.audit);
        if (tlsFiles !== undefined && 'setSecureContext' in server)
          (server as unknown as { setSecureContext(files: object): void }).setSecureContext(
            tlsFiles,
          );
        runtime = reloadedRuntime;
        metrics.count('reloads_total', { outcome: 'taken' });
        log.info('the configuration was reloaded');
        return true;
      } catch (error) {
        metrics.count('reloads_total', { outcome: 'refused' });
        log.error('the reload was refused, the configuration before stays', {
          problems: redactedProblems(error),
        });
        return false;
      }
    },
    snapshot: () => metrics.snapshot(),
    administerSessions: (request) => administerSessions(runtime, request),
    readiness: async () =>
      isDraining
        ? { status: 'draining', down: [], checks: {} }
        : checkReadiness(runtime, options.readyWhen ?? ['token-store'], storeAddress),
    stop: async () => {
      isDraining = true;
      log.info('draining');
      await drain(options.drainSeconds * 1000);
      runtime.pool.close();
      runtime.http2App.close();
      await store.close();
      log.info('stopped');
      await configuredAudit.end();
      await log.end();
    },
  };
}

/** Opens the token store. A configured one must open at once; the default one may open later. */
async function openTokenStore(
  { tokenStore }: SidecarOptions,
  shared: SharedWorkerOptions,
  log: Log,
  now: SecondsClock,
): Promise<OpenedStore> {
  const storeAddress = urlWithoutSecrets(shared.tokenStore);
  const reportStoreFailure = atMostEvery(10_000, (error) =>
    log.error('the token store did not answer', { address: storeAddress, ...errorFields(error) }),
  );
  const openNow = (): Promise<ListableStore> =>
    openStore(shared.tokenStore, now, reportStoreFailure);
  const logUnopened = atMostEvery(10_000, ({ message }) => log.error(message));
  return {
    store: tokenStore === undefined ? openOnFirstUse(openNow, logUnopened) : await openNow(),
    reportStoreFailure,
    storeAddress,
  };
}

interface OpenedStore extends Pick<RuntimeContext, 'store' | 'reportStoreFailure'> {
  /** Without the password. */
  readonly storeAddress: string;
}

/** Listens on an address. @returns the port @throws CAS6006 when the address cannot be used */
async function listen(
  server: Server,
  { host, port }: ReturnType<typeof parseListen>,
  option: string,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new CastellanError('CAS6006', `${option}: ${cause.code ?? cause.message}`, { cause })),
    );
    server.listen({ port, ...omitUndefined({ host }), backlog: 1024 }, () => resolve());
  });
  return (server.address() as AddressInfo).port;
}

/** Never connected to: without an app nothing is forwarded. */
const noUpstream: UpstreamAddress = { host: '', port: 0, tls: false };

function upstreamOf({ upstream }: SidecarOptions): UpstreamAddress | undefined {
  return upstream === undefined ? undefined : parseUpstream(upstream);
}

/** Creates the runtime of settings, with the theme as its files are now. @throws CAS6001 */
function activate(
  settings: SidecarSettings,
  context: RuntimeContext,
  { pages }: SidecarOptions,
): Runtime {
  const { blob } = settings.tokens;
  const theme = pages === undefined ? defaultTheme : readTheme(pages);
  return createRuntime(
    settings,
    context,
    theme,
    blob === undefined ? undefined : openBlobStore(blob, context.now, process.env),
  );
}

/** An action that does nothing when it is called again within so many milliseconds. */
function atMostEvery(milliseconds: number, action: (error: Error) => void): (error: Error) => void {
  let lastCallMs = 0;
  return (error) => {
    if (Date.now() - lastCallMs < milliseconds) return;
    lastCallMs = Date.now();
    action(error);
  };
}
