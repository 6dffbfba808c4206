import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { isDiskFull } from '../../core/errors/disk-full.js';
import { timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../services/common/database.js';
import { failureMessage } from '../../services/common/failure-message.js';
import type { SeedLists } from '../../services/common/seed.js';
import {
  type AppSettingsByName,
  readAppSettings,
  type SandboxSettings,
  writeAppSettings,
} from '../settings.js';
import type { SandboxClock } from '../clock.js';
import { type FaultPlan, noFaults } from '../faults/fault.js';
import type { FaultInjector } from '../faults/injector.js';
import type { Hosting } from '../hosting/hosting.js';
import type { SandboxPaths } from '../paths.js';
import type { Recorder } from '../recording/recorder.js';
import { applyChangedSeed } from './applied-seeds.js';
import { replaceRows } from './database-rows.js';
import type { SandboxServices } from './services.js';

/**
 * Adds the routes of the command line's requests to the background process. Each request needs the
 * token of `.castellan/settings.json`.
 */
export function registerAdminRoutes(
  app: FastifyInstance,
  {
    paths,
    settings,
    services,
    hosting,
    clock,
    faults,
    setFaults,
    recorder,
    database,
  }: {
    paths: SandboxPaths;
    settings: SandboxSettings;
    services: SandboxServices;
    hosting: Hosting;
    clock: SandboxClock;
    faults: FaultInjector;
    setFaults: (plan: FaultPlan) => void;
    recorder: Recorder;
    database: Database;
  },
): void {
  app.register(
    (scope, _options, done) => {
      scope.addHook('onRequest', (request, reply, next) => {
        if (isOwner(request, settings.adminToken)) next();
        else
          reply.code(401).send({
            error: {
              code: 'Unauthorized',
              message: "The token of the sandbox's owner is missing.",
            },
          });
      });
      // Errors of the catalogue and a full disk are for the person at the command line.
      scope.setErrorHandler((error: Error, request, reply) => {
        if (isCastellanError(error))
          return reply.code(400).send({ error: { code: error.code, message: error.message } });
        request.log.error({ err: error, path: request.url }, 'the request failed');
        return isDiskFull(error)
          ? reply.code(507).send({
              error: {
                code: 'CAS8203',
                message: `the disk of the sandbox is full: ${error.message}`,
              },
            })
          : reply.code(500).send({ error: { code: 'CAS8999', message: failureMessage(error) } });
      });
      scope.get('/status', () => ({
        apps: hosting.statuses(),
        clock: clock.status(),
        faults: faults.status(),
      }));
      scope.put('/apps', (request) => {
        const appSettings = request.body as AppSettingsByName;
        writeAppSettings(paths, appSettings);
        hosting.setSettings(appSettings);
        return { apps: hosting.statuses() };
      });
      scope.post('/apps/:name/restart', async (request, reply) => {
        const { name } = request.params as { name: string };
        const app = hosting.find(name);
        if (app === undefined)
          return reply
            .code(404)
            .send({ error: { code: 'CAS8106', message: `there is no app "${name}"` } });
        await app.restart();
        return { app: app.status() };
      });
      scope.get('/clock', () => clock.status());
      scope.put('/clock', (request) => {
        const { change } = request.body as { change: string };
        return clock.move(change, () => services.runDueWork());
      });
      scope.get('/faults', () => faults.status());
      scope.put('/faults', async (request) => {
        const { parseFaults } = await import('../faults/fault-file.js');
        setFaults(parseFaults(JSON.stringify(request.body), 'faults'));
        return faults.status();
      });
      registerRecordingRoutes(scope, recorder);
      scope.post('/database-copy', async (request, reply) => {
        const { folder } = request.body as { folder: string };
        if (database.engine !== 'sqlite') return reply.code(400).send(sqliteRequired);
        await sql`vacuum into ${join(folder, 'sandbox.db')}`.execute(database.connection);
        return { copied: true };
      });
      scope.post('/rewind', async (request, reply) => {
        const { folder } = request.body as { folder: string };
        if (database.engine !== 'sqlite') return reply.code(400).send(sqliteRequired);
        await replaceRows(database, join(folder, 'sandbox.db'));
        clock.reload();
        faults.set(noFaults);
        hosting.setSettings(readAppSettings(paths));
        hosting.setApps(await services.resourceManager.apps());
        return { rewound: true };
      });
      scope.post('/seed', async (request) => {
        await withSeedErrors(() => services.seed(request.body as SeedLists));
        return { applied: true };
      });
      // applies the copy of the seed file, if it has changed
      scope.put('/seed', async () => {
        await withSeedErrors(() => applyChangedSeed(paths.seed, { services, database }));
        return { applied: true };
      });
      done();
    },
    { prefix: '/_castellan' },
  );
}

/** @throws CAS4002 with the message of an error that is neither of the catalogue nor a full disk */
async function withSeedErrors(apply: () => Promise<void>): Promise<void> {
  try {
    await apply();
  } catch (cause) {
    if (isCastellanError(cause) || isDiskFull(cause)) throw cause;
    throw new CastellanError('CAS4002', (cause as Error).message, { cause });
  }
}

/** Adds the routes that start and end the recording of calls. */
function registerRecordingRoutes(scope: FastifyInstance, recorder: Recorder): void {
  scope.get('/recording', () => recorder.status());
  scope.put('/recording', (request) => {
    const { file } = request.body as { file?: string };
    return file === undefined ? recorder.stop() : recorder.start(file);
  });
}

/** The response body where the database of a running sandbox is not a file that can be copied. */
const sqliteRequired = {
  error: {
    code: 'CAS4021',
    message: 'the sandbox runs on PostgreSQL (DATABASE_URL): save that with pg_dump',
  },
};

function isOwner(request: FastifyRequest, token: string): boolean {
  const header = Buffer.from(request.headers.authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return header.length === expected.length && timingSafeEqual(header, expected);
}
