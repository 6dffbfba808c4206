import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { clockStartingAt, systemClock } from '../../services/common/clock.js';
import { type Database, openDatabase } from '../../services/common/database.js';
import { closeWithin, createHttpServer, mountService } from '../../services/common/http-server.js';
import { addOperatorRoutes, operatorPaths } from '../../services/common/operator-routes.js';
import type { Service, ServiceContext } from '../../services/common/service.js';
import { tenantOfIssuers } from '../../services/common/tenant.js';
import { createTokenVerifier, noAuthentication } from '../../services/common/token-verifier.js';
import { logDestination } from '../log-destination.js';
import type { ServeOptions } from './options.js';
import { openSeed, type OpenedSeed } from './seed-file.js';
import { loadServiceFactory } from './service-factories.js';

/** Running services. */
export interface RunningServices {
  /** Their address, with the actual port: `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** The name and the addresses of each service, as printed for people. */
  readonly addresses: readonly { readonly name: string; readonly urls: readonly string[] }[];
  /** Completes running requests, refuses new ones, closes the database. */
  close(): Promise<void>;
}

/** How long running requests may take to end at shutdown. */
const drainTimeoutMs = 10_000;

/**
 * Starts services on one port: any of them together, each under its own path prefixes
 * (`castellan serve`).
 *
 * @throws CAS4001 database, CAS4002 seed, CAS4003 other start-up values.
 */
export async function serve(options: ServeOptions): Promise<RunningServices> {
  const seed = options.seedFile === undefined ? undefined : openSeed(options.seedFile);
  const clock = options.now === undefined ? systemClock : clockStartingAt(options.now);
  const tokenVerifier = options.authentication
    ? createTokenVerifier({
        issuers: options.issuers,
        ...omitUndefined({ audiences: options.audiences }),
        clock,
      })
    : noAuthentication;
  const factories = await Promise.all(options.services.map(loadServiceFactory));
  const database = await openDatabase(options.database);
  const services: Service[] = [];
  try {
    const { dialect, throttle, longRunning } = options;
    const groupsOf = options.services.includes('directory')
      ? { groupsOf: groupsFromDirectory(services) }
      : {};
    const tenantId = tenantOfIssuers(options.issuers);
    const tenant = tenantId === undefined ? {} : { tenantId };
    const context: ServiceContext = {
      database,
      dialect,
      clock,
      tokenVerifier,
      throttle,
      longRunning,
      ...tenant,
      ...omitUndefined({ failingItemPrefix: options.failingItemPrefix }),
      ...groupsOf,
    };
    for (const factory of factories) services.push(await factory(context));
    if (seed !== undefined)
      for (const service of services) await seedService(service, seed, options.seedFile);
    return await listen(options, services, database);
  } catch (error) {
    await closeAll(services, database);
    throw error;
  }
}

/**
 * Reads the groups of a member from the directory among the services, which may be started later.
 */
function groupsFromDirectory(
  services: readonly Service[],
): NonNullable<ServiceContext['groupsOf']> {
  return async (objectId) =>
    (await services.find((service) => service.groupsOf !== undefined)?.groupsOf?.(objectId)) ?? [];
}

async function seedService(service: Service, seed: OpenedSeed, file = ''): Promise<void> {
  try {
    if ('whole' in seed) await service.seed(seed.whole);
    else if (service.seedInParts) await service.seedInParts(seed.parts);
    else for (const part of seed.parts()) await service.seed(part);
  } catch (cause) {
    if (isCastellanError(cause)) throw cause;
    throw new CastellanError('CAS4002', `${file}: ${(cause as Error).message}`, { cause });
  }
}

async function listen(
  options: ServeOptions,
  services: readonly Service[],
  database: Database,
): Promise<RunningServices> {
  const logger = pino({ level: options.logLevel }, logDestination(2));
  let app;
  try {
    app = createHttpServer({ logger, ...omitUndefined({ tls: options.tls }) });
  } catch (cause) {
    throw new CastellanError(
      'CAS4003',
      `--tls-cert and --tls-key can't be used: ${(cause as Error).message}`,
      { cause },
    );
  }
  const stopRecording = await startRecording(app, options.record);
  for (const service of services) mountService(app, service);
  addOperatorRoutes(app, services, database);
  await app.ready();
  try {
    await app.listen({
      host: options.listen.host,
      port: options.listen.port,
      listenTextResolver: () => 'accepting connections',
    });
  } catch (cause) {
    await app.close();
    throw new CastellanError(
      'CAS4003',
      `--listen ${options.listen.host}:${options.listen.port}: ${(cause as Error).message}`,
      { cause },
    );
  }
  const { port } = app.server.address() as AddressInfo;
  const host = options.listen.host.includes(':') ? `[${options.listen.host}]` : options.listen.host;
  const origin = `${options.tls === undefined ? 'http' : 'https'}://${host}:${port}`;
  const routes = services.map(({ prefixes }, index) => ({
    name: options.services[index] ?? '',
    paths: prefixes,
  }));
  return {
    origin,
    addresses: [...routes, { name: 'operators', paths: operatorPaths }].map(({ name, paths }) => ({
      name,
      urls: paths.map((path) => origin + path),
    })),
    async close() {
      await closeWithin(app, drainTimeoutMs);
      stopRecording();
      await closeAll(services, database);
    },
  };
}

/**
 * Records the calls in a file, if one is named.
 *
 * @returns a function that ends it.
 * @throws CAS4024 if the file cannot be written
 */
async function startRecording(app: FastifyInstance, file: string | undefined): Promise<() => void> {
  if (file === undefined) return () => undefined;
  const { Recorder } = await import('../recording/recorder.js');
  const recorder = new Recorder();
  recorder.start(resolve(file));
  recorder.attach(app, {
    isExcluded: ({ originalUrl }) => operatorPaths.some((path) => originalUrl === path),
  });
  return () => void recorder.stop();
}

async function closeAll(services: readonly Service[], database: Database): Promise<void> {
  for (const service of services) await service.close();
  await database.close();
}
