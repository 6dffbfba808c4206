import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { reattachValue } from '../../provider/index.js';
import { mountService } from '../../services/common/http-server.js';
import type { Clock } from '../../services/common/clock.js';
import type { Database } from '../../services/common/database.js';
import { createTokenVerifier } from '../../services/common/token-verifier.js';
import { ActivityLog } from '../console/activity.js';
import { consoleLink } from '../console/authentication.js';
import type { ConditionsSource } from '../console/conditions.js';
import { registerConsoleRoutes } from '../console/routes.js';
import { audienceUris } from '../console/service-requests.js';
import type { SandboxSettings } from '../settings.js';
import { explainRefusals } from '../explanation/refusal-explanation.js';
import { writeSidecarTheme } from '../explanation/sidecar-theme.js';
import { RecentSignIns } from '../explanation/recent-sign-ins.js';
import { type Hosting } from '../hosting/hosting.js';
import { contentSecurityPolicy } from '../html.js';
import { SandboxClock } from '../clock.js';
import { createAppFetch } from '../identity-provider/back-channel-logout.js';
import { attachFaults, isFromSandboxOrOwner } from '../faults/fault-hooks.js';
import type { FaultPlan } from '../faults/fault.js';
import { FaultInjector } from '../faults/injector.js';
import { dropPrincipalPredicates, withClockSkew } from '../faults/sign-in-faults.js';
import { openIdentityStore } from '../identity-provider/identity-store.js';
import { peopleAndApplications } from '../identity-provider/people-and-applications.js';
import { useClockInRequests } from '../identity-provider/request-clock.js';
import { registerIdentityProviderRoutes } from '../identity-provider/routes.js';
import { registerSignInAsRoute } from '../identity-provider/preselected-person.js';
import { applicationToken, toolkitRoles } from '../identity-provider/client-credentials.js';
import { issuerOf, type IdentityProviderContext } from '../identity-provider/context.js';
import { tokenLifetimeSeconds } from '../identity-provider/oauth-response.js';
import { logDestination } from '../log-destination.js';
import { prepareSandboxFolder, sandboxPaths, type SandboxPaths } from '../paths.js';
import { watchLockFile } from '../background/lock.js';
import { readJson, writePrivate } from '../private-file.js';
import { Recorder } from '../recording/recorder.js';
import { registerSpansRoute, spanVariables } from '../tracing/routes.js';
import { SpanExporter } from '../tracing/span-exporter.js';
import { personIdAttribute, TraceStore } from '../tracing/trace-store.js';
import { SandboxTracer } from '../tracing/tracer.js';
import { openCertificateAuthority, Certificates } from '../tls/certificate-authority.js';
import { registerAdminRoutes } from './admin-routes.js';
import { frontPage } from './front-page.js';
import { startProviders } from './providers.js';
import { applyChangedSeed } from './applied-seeds.js';
import { openServices, initialSeed } from './services.js';
import {
  lockFolder,
  type Closers,
  openSettings,
  openOwnDatabase,
  writeState,
} from './sandbox-folder.js';
import { createAppWithListener, serveHttps } from './https-server.js';
import { directoryReader } from './directory-reader.js';
import { sidecarThemeFolder, openHosting, onceUnlessFailed, hostApps } from './hosting-setup.js';

/** A sandbox running in this process. */
export interface RunningSandbox {
  /** Its address: `https://localhost:<port>`. */
  readonly origin: string;
  /** Resolves when its folder was removed: no command finds it any more. */
  readonly folderRemoved: Promise<void>;
  close(): Promise<void>;
}

/**
 * Runs a project's sandbox in this process: services, identity provider, providers, ingress and
 * apps.
 *
 * @throws CAS4010 when another process runs it, CAS4014 when its port is taken, CAS4001 when the
 *   database can't be opened, CAS4002 for an invalid seed.
 */
export async function runSandbox(
  projectDir: string,
  env: Readonly<Record<string, string | undefined>>,
  environment?: string,
): Promise<RunningSandbox> {
  const paths = sandboxPaths(projectDir, environment);
  prepareSandboxFolder(paths);
  const lock = await lockFolder(paths);
  // The files of a crashed process do not apply to this one.
  rmSync(paths.state, { force: true });
  const closers: Closers = [() => lock.release(), () => rmSync(paths.state, { force: true })];
  const folderRemoved = new Promise<void>((done) => {
    closers.push(watchLockFile(paths.lock, done));
  });
  const close = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let next = closers.pop(); next !== undefined; next = closers.pop())
      try {
        await next();
      } catch (error) {
        errors.push(error); // the rest is closed all the same
      }
    if (errors.length > 0) throw errors[0];
  };
  try {
    return { origin: await start(paths, env, closers), folderRemoved, close };
  } catch (error) {
    await close().catch(() => undefined); // the first error is more helpful
    throw error;
  }
}

/** How long the page of a refused request waits for its span, which names the person. */
const findPersonTimeoutMs = 1_500;

/** Starts the parts of a sandbox, in the order of their needs. @returns its origin */
async function start(
  paths: SandboxPaths,
  env: Readonly<Record<string, string | undefined>>,
  closers: Closers,
): Promise<string> {
  const log = pino({ level: env['CASTELLAN_LOG_LEVEL'] || 'info', base: null }, logDestination(1));
  const clock = new SandboxClock(paths.clock);
  const now = (): number => clock.now().getTime();
  const { settings, key } = await openSettings(paths, clock);
  const origin = `https://localhost:${settings.port}`;
  const certificateAuthority = await openCertificateAuthority(paths);
  const certificates = await Certificates.open(certificateAuthority);
  const database = await openOwnDatabase(paths, env, closers);

  const issuer = issuerOf({ origin, settings });
  const tokenVerifier = createTokenVerifier({
    issuers: [issuer],
    clock,
    localKeys: new Map([[issuer, key.resolvePublicKey]]),
  });
  const faults = new FaultInjector(readJson<FaultPlan>(paths.faults));
  const services = await openServices({
    database,
    tokenVerifier,
    settings,
    clock,
    faults,
    // called when a request arrives: the hosting is opened by then
    replicasOf: (app, revision) => hosting.find(app)?.replicas(revision) ?? [],
  });
  closers.push(() => services.close());

  const { app, listener: ownListener } = createAppWithListener(log);
  const tracer = openTracer(app, settings, env, log, closers);
  const activity = new ActivityLog(tracer);
  activity.attach(app);
  const recorder = new Recorder();
  closers.push(() => void recorder.stop());
  recorder.attach(app, { isExcluded: isFromSandboxOrOwner });
  attachFaults(app, faults, services.all);
  const toolkitToken = toolkitTokenIssuer({ origin, settings, key });
  const readDirectory = directoryReader(app, () => toolkitToken(audienceUris.directory));
  const directory = peopleAndApplications(readDirectory);
  const signIns = new RecentSignIns();
  writeSidecarTheme(join(paths.hosting, sidecarThemeFolder));
  const hosting = openHosting({
    paths,
    settings,
    issuer,
    log,
    tracer,
    spanVariables: spanVariables(origin, settings),
    groupName: (id) => directory.groupName(id),
    // the fault by which an app gets requests without the headers of the signed-in person
    dropPrincipalPredicateOf: dropPrincipalPredicates(faults),
  });
  const logExplanationError = (error: unknown): void =>
    log.error({ err: error }, 'the reasons of a refusal could not be determined');
  const context: IdentityProviderContext = {
    origin,
    settings,
    key: withClockSkew(key, clock, faults),
    directory,
    checkSecret: services.checkApplicationSecret,
    appFetch: createAppFetch(readFileSync(paths.ca, 'utf8')),
    onSignIn: (personId, clientId, state) => {
      signIns.add(state, { personId, clientId });
      hosting
        .recordRefusalsOfSignIn(
          { personId, clientId, tenantId: settings.tenantId, now: now() },
          readDirectory,
        )
        .catch(logExplanationError);
    },
    // the latest refusal of the person by an app of the registration
    latestRefusal: (personId, clientId) => hosting.latestRefusal(personId, clientId),
  };
  serveIdentityProvider(app, context, { database, clock, log });
  registerSignInAsRoute(app, directory, `localhost:${settings.port}`, (host) =>
    hosting.signInPrefixAt(host),
  );
  for (const service of services.all) mountService(app, service);
  closers.push(() => hosting.close());
  registerFrontPage(app, hosting);
  const conditions = conditionsSource({ paths, hosting, clock, faults });
  const adminContext = { paths, settings, services, hosting, clock, faults, recorder, database };
  registerAdminRoutes(app, { ...adminContext, setFaults: conditions.setFaults });
  registerConsoleRoutes(app, {
    origin,
    paths,
    settings,
    hosting,
    activity,
    database,
    now,
    traces: tracer.store,
    conditions,
    token: (audience) => toolkitToken(audienceUris[audience]),
  });
  await app.ready();
  closers.push(() => app.close());

  await services.seed(initialSeed(settings));
  for (const file of [paths.seed, paths.addedSeed])
    await applyChangedSeed(file, { services, database });
  const explain = explainRefusals({
    paths,
    signIns,
    readDirectory,
    now,
    tenantId: settings.tenantId,
    createConsoleLink: (to) => consoleLink(origin, to),
    findApp: (name) => hosting.findDeclared(name),
    findPerson: (requestId) =>
      tracer.store.waitForAttribute(requestId, personIdAttribute, findPersonTimeoutMs),
    onError: logExplanationError,
  });
  closers.push(await serveHttps({ settings, certificates, hosting, explain, tracer, ownListener }));

  const ca = certificateAuthority.certificate;
  const providers = await startOwnProviders({ paths, settings, origin, ca, log }, toolkitToken);
  closers.push(() => Promise.all(providers.map((each) => each.close())));
  await hostApps(services, hosting, log);

  writeState(paths, { origin, reattach: reattachValue(providers) });
  log.info({ origin, pid: process.pid }, 'the sandbox accepts connections');
  return origin;
}

/** Reads the time and the faults of the sandbox, and sets the faults, for console and command line. */
function conditionsSource({
  paths,
  hosting,
  clock,
  faults,
}: {
  readonly paths: SandboxPaths;
  readonly hosting: Hosting;
  readonly clock: SandboxClock;
  readonly faults: FaultInjector;
}): ConditionsSource {
  return {
    clock: () => clock.status(),
    faults: () => faults.status(),
    setFaults(plan) {
      writePrivate(paths.faults, `${JSON.stringify(plan, undefined, 2)}\n`);
      faults.set(plan);
      hosting.refresh();
    },
  };
}

/** A function that issues tokens of the toolkit's own identity, by default for the sandbox itself. */
function toolkitTokenIssuer(
  context: Pick<IdentityProviderContext, 'origin' | 'settings' | 'key'>,
): (audience?: string) => Promise<string> {
  const { clientId, clientObjectId: objectId } = context.settings;
  return (audience = context.origin) =>
    applicationToken(context, { clientId, objectId, roles: toolkitRoles, audience });
}

/** Adds the identity provider, whose library is loaded with the first request that needs it. */
function serveIdentityProvider(
  app: FastifyInstance,
  context: IdentityProviderContext,
  {
    database,
    clock,
    log,
  }: { readonly database: Database; readonly clock: Clock; readonly log: pino.Logger },
): void {
  const provider = onceUnlessFailed(async () => {
    const { createOidcProvider } = await import('../identity-provider/provider.js');
    return createOidcProvider(context, await openIdentityStore(database), (error) =>
      log.error({ err: error }, 'the identity provider failed'),
    );
  });
  app.register((scope, _options, done) => {
    useClockInRequests(scope, clock);
    registerIdentityProviderRoutes(scope, context, provider);
    done();
  });
}

function openTracer(
  app: FastifyInstance,
  settings: SandboxSettings,
  env: Readonly<Record<string, string | undefined>>,
  log: pino.Logger,
  closers: Closers,
): SandboxTracer {
  const exporter = SpanExporter.from(env, (error) =>
    log.warn({ err: error }, 'the spans could not be passed on'),
  );
  closers.push(() => exporter?.flush());
  const tracer = new SandboxTracer(new TraceStore(), (span) => exporter?.add(span));
  registerSpansRoute(app, tracer.store, settings, exporter);
  return tracer;
}

function startOwnProviders(
  parts: Omit<Parameters<typeof startProviders>[0], 'credential'>,
  toolkitToken: () => Promise<string>,
): ReturnType<typeof startProviders> {
  const credential = {
    getToken: async () => ({
      token: await toolkitToken(),
      expiresAt: new Date(Date.now() + tokenLifetimeSeconds * 1000),
    }),
  };
  return startProviders({ ...parts, credential });
}

function registerFrontPage(app: FastifyInstance, hosting: Hosting): void {
  app.get('/', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(frontPage(hosting.statuses())),
  );
}
