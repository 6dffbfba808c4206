import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { reattachValue } from '../../provider/index.js';
import { type Database, openDatabase } from '../../services/common/database.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { createTokenVerifier } from '../../services/common/token-verifier.js';
import { ActivityLog } from '../console/activity.js';
import { consoleLink } from '../console/access.js';
import { registerConsole } from '../console/routes.js';
import {
  readAppSettings,
  candidatePorts,
  newSettings,
  readSettings,
  type SandboxSettings,
  writeSettings,
} from '../settings.js';
import { type Lock, takeLock } from '../background/lock.js';
import { isEngineRunning } from '../hosting/engine.js';
import { removeContainers } from '../hosting/image-workload.js';
import { explainRefusals, type ExplainAnswer } from '../explanation/explain-refusal.js';
import { writeLayerPages } from '../explanation/layer-pages.js';
import { SignIns } from '../explanation/sign-ins.js';
import type { HostingContext } from '../hosting/hosted-app.js';
import { Hosting } from '../hosting/hosting.js';
import { Processes } from '../hosting/processes.js';
import { contentSecurityPolicy } from '../html.js';
import { SandboxClock } from '../clock.js';
import { sendToApps } from '../identity-provider/back-channel.js';
import { attachFaults } from '../faults/attach.js';
import type { FaultPlan } from '../faults/fault.js';
import { FaultInjector } from '../faults/injector.js';
import { principalLoss, withSkew } from '../faults/outside-services.js';
import { openIdentityStore } from '../identity-provider/adapter.js';
import { peopleAndApplications } from '../identity-provider/people.js';
import { registerIdentityProvider } from '../identity-provider/routes.js';
import { registerSignInAs } from '../identity-provider/sign-in-as.js';
import { openSigningKey } from '../identity-provider/signing-key.js';
import {
  applicationToken,
  issuerOf,
  type TokenContext,
  tokenSeconds,
  toolkitRoles,
} from '../identity-provider/token-endpoint.js';
import { appOf, Ingress } from '../ingress/ingress.js';
import { prepareFolder, sandboxName, sandboxPaths, type SandboxPaths } from '../paths.js';
import { readJson, writePrivate } from '../private-file.js';
import type { SandboxState } from '../state.js';
import { Recorder } from '../recording/recorder.js';
import { registerSpans, spanVariables } from '../tracing/routes.js';
import { personIdAttribute, TraceStore } from '../tracing/trace-store.js';
import { SandboxTracer } from '../tracing/tracer.js';
import { openAuthority, Certificates } from '../tls/authority.js';
import { registerAdmin } from './admin.js';
import { frontPage } from './front-page.js';
import { isFree, openListeners } from './listen.js';
import { startProviders } from './providers.js';
import { openServices, ownSeed, type SandboxServices } from './services.js';

/** A sandbox running in this process. */
export interface RunningSandbox {
  readonly origin: string;
  close(): Promise<void>;
}

/**
 * Runs a project's sandbox in this process: services, identity provider, providers, ingress and
 * apps.
 *
 * @throws CAS4010 when another process runs it, CAS4014 when its port is taken, CAS4001, CAS4002.
 */
export async function runSandbox(
  projectDir: string,
  env: Readonly<Record<string, string | undefined>>,
  environment?: string,
): Promise<RunningSandbox> {
  const paths = sandboxPaths(projectDir, environment);
  prepareFolder(paths);
  const lock = await lockFolder(paths);
  // The files of a crashed process do not apply to this one.
  rmSync(paths.state, { force: true });
  const closers: Closers = [() => lock.release(), () => rmSync(paths.state, { force: true })];
  const close = async (): Promise<void> => {
    for (let next = closers.pop(); next !== undefined; next = closers.pop()) await next();
  };
  try {
    return { origin: await start(paths, env, closers), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Clean-up functions, run in reverse order when the sandbox stops. */
type Closers = (() => Promise<unknown> | void)[];

async function start(
  paths: SandboxPaths,
  env: Readonly<Record<string, string | undefined>>,
  closers: Closers,
): Promise<string> {
  const log = pino(
    { level: env['CASTELLAN_LOG_LEVEL'] ?? 'info', base: null },
    pino.destination({ dest: 1, sync: true }),
  );
  const clock = openClock(paths, closers);
  const now = (): number => clock.now().getTime();
  const { settings, key } = await openSettings(paths, clock);
  const origin = `https://localhost:${settings.port}`;
  const authority = await openAuthority(paths);
  const certificates = await Certificates.open(authority);
  const database = await openOwnDatabase(paths, env, closers);

  const issuer = issuerOf({ origin, settings });
  const tokens = createTokenVerifier({
    issuers: [issuer],
    clock,
    localKeys: new Map([[issuer, key.verifyKey]]),
  });
  const services = await openServices({
    database,
    tokens,
    settings,
    clock,
    replicasOf: (app, revision) => hosting.find(app)?.replicas(revision) ?? [],
  });
  closers.push(() => services.close());

  const { app, listener } = await plainServer(log);
  const tracer = await openTracer(app, settings, env, log);
  closers.push(() => tracer.close());
  const activity = new ActivityLog(tracer);
  activity.attach(app);
  const faults = new FaultInjector(readJson<FaultPlan>(paths.faults));
  const recorder = new Recorder();
  closers.push(() => void recorder.stop());
  recorder.attach(app, (request) => activity.isOwn(request));
  attachFaults(app, faults, services.all);
  const ownToken = (audience = origin): Promise<string> =>
    applicationToken(
      { origin, settings, key },
      {
        clientId: settings.clientId,
        objectId: settings.clientObjectId,
        roles: toolkitRoles,
        audience,
      },
    );
  const ask = askDirectory(app, () => ownToken(consoleAudiences.directory));
  const directory = peopleAndApplications(ask);
  const signIns = new SignIns();
  writeLayerPages(join(paths.hosting, layerPages));
  const hosting = openHosting({
    paths,
    settings,
    issuer,
    log,
    tracer,
    spanVariables: spanVariables(origin, settings),
    groupName: (id) => directory.groupName(id),
    losesPrincipal: principalLoss(faults),
  });
  const reasonsFailed = (error: unknown): void =>
    log.error({ err: error }, 'why someone is refused could not be found');
  const context: TokenContext = {
    origin,
    settings,
    key: withSkew(key, clock, faults),
    directory,
    checkSecret: services.checkApplicationSecret,
    sendToApp: sendToApps(readFileSync(paths.ca, 'utf8')),
    onSignIn: (personId, clientId, state) => {
      signIns.add(state, { personId, clientId });
      hosting
        .lookAtSignIn({ personId, clientId, tenantId: settings.tenantId }, ask)
        .catch(reasonsFailed);
    },
    refusal: (personId, clientId) => hosting.refusal(personId, clientId),
  };
  const provider = onFirstUse(async () => {
    const { createOidcProvider } = await import('../identity-provider/provider.js');
    return createOidcProvider(context, await openIdentityStore(database), (error) =>
      log.error({ err: error }, 'the identity provider failed'),
    );
  });
  registerIdentityProvider(app, context, provider);
  registerSignInAs(app, directory, `localhost:${settings.port}`);
  for (const service of services.all) mountService(app, service);
  closers.push(() => hosting.close());
  registerFrontPage(app, hosting);
  registerAdmin(app, { paths, settings, services, hosting, clock, faults, recorder, database });
  registerConsole(app, {
    ...{ origin, paths, settings, hosting, activity, database, now },
    traces: tracer.store,
    token: (audience) => ownToken(consoleAudiences[audience]),
  });
  await app.ready();
  closers.push(() => app.close());

  await seedServices(services, settings, paths);
  const explain = explainRefusals({
    ...{ paths, signIns, ask, now },
    tenantId: settings.tenantId,
    link: (to) => consoleLink(origin, to),
    findApp: (name) => hosting.declared(name),
    findPerson: (id) => tracer.store.waitForAttribute(id, personIdAttribute, 1_500),
    onError: reasonsFailed,
  });
  closers.push(await listen({ settings, certificates, hosting, explain, tracer, own: listener }));

  const ca = authority.certificate;
  const providers = await startOwnProviders({ paths, settings, origin, ca, log }, ownToken);
  closers.push(() => Promise.all(providers.map((each) => each.close())));
  await followApps(services, hosting, log);

  writeState(paths, { origin, reattach: reattachValue(providers) });
  log.info({ origin, pid: process.pid }, 'the sandbox accepts connections');
  return origin;
}

function openClock(paths: SandboxPaths, closers: Closers): SandboxClock {
  const clock = new SandboxClock(paths.clock);
  closers.push(clock.leadProcess());
  return clock;
}

async function openTracer(
  app: FastifyInstance,
  settings: SandboxSettings,
  env: Readonly<Record<string, string | undefined>>,
  log: pino.Logger,
): Promise<SandboxTracer> {
  const tracer = await SandboxTracer.open(new TraceStore(), env);
  registerSpans(app, tracer.store, settings, {
    env,
    onError: (error) => log.warn({ err: error }, 'the spans could not be passed on'),
  });
  return tracer;
}

async function seedServices(
  services: SandboxServices,
  settings: SandboxSettings,
  paths: SandboxPaths,
): Promise<void> {
  await services.seed(ownSeed(settings));
  for (const seed of [paths.seed, paths.addedSeed])
    if (existsSync(seed))
      await services.seed((await import('../serve/seed-file.js')).readSeedFile(seed));
}

function startOwnProviders(
  parts: Omit<Parameters<typeof startProviders>[0], 'credential'>,
  ownToken: () => Promise<string>,
): ReturnType<typeof startProviders> {
  const credential = {
    getToken: async () => ({
      token: await ownToken(),
      expiresAt: new Date(Date.now() + tokenSeconds * 1000),
    }),
  };
  return startProviders({ ...parts, credential });
}

async function openOwnDatabase(
  paths: SandboxPaths,
  env: Readonly<Record<string, string | undefined>>,
  closers: Closers,
): Promise<Database> {
  const database = await openDatabase(env['DATABASE_URL'] ?? `sqlite:${paths.database}`);
  closers.push(() => database.close());
  for (const file of [paths.database, `${paths.database}-wal`, `${paths.database}-shm`])
    if (existsSync(file)) chmodSync(file, 0o600);
  return database;
}

/** Announces that the sandbox runs, and where. */
function writeState(paths: SandboxPaths, at: Pick<SandboxState, 'origin' | 'reattach'>): void {
  const state: SandboxState = { pid: process.pid, startedAt: new Date().toISOString(), ...at };
  writePrivate(paths.state, `${JSON.stringify(state, undefined, 2)}\n`);
}

function registerFrontPage(app: FastifyInstance, hosting: Hosting): void {
  app.get('/', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .send(frontPage(hosting.statuses())),
  );
}

/** The folder of the sign-in layers' pages, beside the folders of apps, whose names have no dots. */
const layerPages = 'layer.pages';

/** The audiences of the console's tokens. */
const consoleAudiences = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  billing: 'https://management.azure.com',
} as const;

/** Reads from the sandbox's own directory; undefined for missing objects. */
function askDirectory(
  app: FastifyInstance,
  token: () => Promise<string>,
): <T>(path: string) => Promise<T | undefined> {
  return async <T>(path: string) => {
    const answer = await app.inject({
      url: `/v1.0${path}`,
      headers: { authorization: `Bearer ${await token()}` },
    });
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode >= 300)
      throw new Error(`the directory answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
    return answer.json<T>();
  };
}

interface HostingParts {
  readonly paths: SandboxPaths;
  readonly settings: SandboxSettings;
  readonly issuer: string;
  readonly log: pino.Logger;
  readonly tracer: SandboxTracer;
  readonly spanVariables: Readonly<Record<string, string>>;
  readonly groupName: (id: string) => Promise<string | undefined>;
  readonly losesPrincipal: HostingContext['losesPrincipal'];
}

/**
 * The runner of the apps. Stops processes left by a crash at once, and containers before the first
 * container starts.
 */
function openHosting({ paths, settings, ...parts }: HostingParts): Hosting {
  const processes = new Processes(join(paths.root, 'processes.json'));
  processes.endOrphans();
  const project = createHash('sha256').update(paths.root).digest('hex').slice(0, 10);
  const cleaned = onFirstUse(() => removeContainers(project));
  return new Hosting(
    {
      processes,
      hosting: paths.hosting,
      pages: join(paths.hosting, layerPages),
      ca: paths.ca,
      clock: paths.clock,
      ...parts,
      project,
      projectDir: paths.projectDir,
      root: paths.root,
      domain: `localhost:${settings.port}`,
      async engine() {
        if (!(await isEngineRunning())) return false;
        await cleaned();
        return true;
      },
    },
    readAppSettings(paths),
  );
}

/** Runs a function once, on first use; after a failure the next use tries again. */
function onFirstUse<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let done: Promise<Value> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}

/**
 * Accepts connections for the apps and for the sandbox itself on its only port; returns a function
 * that stops it.
 */
async function listen({
  settings,
  certificates,
  hosting,
  explain,
  tracer,
  own,
}: {
  readonly settings: SandboxSettings;
  readonly certificates: Certificates;
  readonly hosting: Hosting;
  readonly explain: ExplainAnswer;
  readonly tracer: SandboxTracer;
  readonly own: RequestListener;
}): Promise<() => Promise<void>> {
  const ingress = new Ingress((host) => hosting.route(host), explain, tracer);
  const handle: RequestListener = (request, response) =>
    appOf(request.headers.host) === undefined
      ? own(request, response)
      : ingress.handle(request, response);
  const tls = { ...certificates.own, SNICallback: certificates.contextOf };
  const doors = await openListeners(settings.port, {
    tls,
    handle,
    upgrade: ingress.upgrade as never,
  });
  return async () => {
    await doors.close();
    ingress.close();
  };
}

/** Runs the apps of the resource manager, now and after each change, one change after the other. */
async function followApps(
  { resourceManager }: Awaited<ReturnType<typeof openServices>>,
  hosting: Hosting,
  log: pino.Logger,
): Promise<void> {
  let refreshed: Promise<void> = Promise.resolve();
  const refresh = (): Promise<void> => {
    refreshed = refreshed
      .then(async () => hosting.declare(await resourceManager.apps()))
      .catch((error: unknown) => log.error({ err: error }, 'the apps could not be read'));
    return refreshed;
  };
  resourceManager.onAppsChanged(refresh);
  await refresh();
}

/** A fastify instance without a listener: the TLS servers pass requests to it. */
async function plainServer(
  log: pino.Logger,
): Promise<{ app: FastifyInstance; listener: RequestListener }> {
  let listener: RequestListener | undefined;
  const app = createHttpServer({
    logger: log,
    serverFactory: (handler) => {
      listener = handler as (request: IncomingMessage, response: ServerResponse) => void;
      return createServer();
    },
  });
  return { app, listener: listener as unknown as RequestListener };
}

async function lockFolder(paths: SandboxPaths): Promise<Lock> {
  // A short wait, since checking the lock takes it for an instant.
  for (let attempt = 0; attempt < 20; attempt++) {
    const lock = takeLock(paths.lock);
    if (lock !== undefined) return lock;
    await new Promise((done) => setTimeout(done, 50));
  }
  const state = readJson<SandboxState>(paths.state);
  throw new CastellanError(
    'CAS4010',
    `process ${state?.pid ?? '?'} runs the sandbox of ${sandboxName(paths)}${state === undefined ? '' : ` at ${state.origin}`}`,
  );
}

async function openSettings(
  paths: SandboxPaths,
  clock: SandboxClock,
): Promise<{ settings: SandboxSettings; key: Awaited<ReturnType<typeof openSigningKey>> }> {
  const previous = readSettings(paths);
  const settings =
    previous ??
    newSettings(
      await firstFree(
        candidatePorts(paths.environment === undefined ? paths.projectDir : paths.root),
      ),
    );
  const key = await openSigningKey(settings.signingKey, clock);
  if (settings.signingKey === undefined)
    writeSettings(paths, {
      ...settings,
      signingKey: key.privateJwk as Readonly<Record<string, unknown>>,
    });
  return { settings, key };
}

async function firstFree(candidates: readonly number[]): Promise<number> {
  for (const port of candidates) if (await isFree(port)) return port;
  throw new CastellanError(
    'CAS4014',
    `none of the ports ${candidates.slice(0, 5).join(', ')}, … is free`,
  );
}
