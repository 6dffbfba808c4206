import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type AdminServer, startAdmin } from './admin.js';
import { createLog, type Log } from './log.js';
import type { MetricsSnapshot } from './metrics.js';
import type { SidecarOptions } from './options.js';
import type { Readiness } from './readiness.js';
import type { SessionsAnswer, SessionsRequest } from './administer-sessions.js';
import { startCluster } from './cluster.js';
import { watchFiles } from './watched-files.js';
import { defaultLocation } from '../token-store/default-location.js';
import { type SharedWorkerOptions, startWorker } from './worker.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A running sidecar. */
export interface RunningSidecar {
  /** URL of the public port. */
  readonly url: string;
  /** URL of the admin port. */
  readonly admin?: string;
  /** Reloads the configuration files. */
  reload(): void;
  /** Waits for running requests and closes everything. */
  stop(): Promise<void>;
}

/** Starts the sidecar, in this process or with workers. @throws CAS6001 and CAS6004 to CAS6006 */
export async function startSidecar(options: SidecarOptions): Promise<RunningSidecar> {
  if (!Number.isInteger(options.workers) || options.workers < 1 || options.workers > 64)
    throw new CastellanError('CAS6004', '--workers must be a number from 1 to 64');
  const store = tokenStoreLocation(options);
  const sharedOptions: SharedWorkerOptions = {
    generatedKey: randomBytes(32).toString('base64'),
    tokenStore: store.url,
    ...omitUndefined({ notice: store.notice }),
  };
  try {
    const processes =
      options.workers > 1
        ? await startWorkerProcesses(options, sharedOptions)
        : await startSingleProcess(options, sharedOptions);
    let admin: AdminServer | undefined;
    try {
      admin =
        options.adminListen === undefined
          ? undefined
          : await startAdmin(options.adminListen, processes, options.adminToken);
    } catch (error) {
      await processes.stop();
      throw error;
    }
    const unwatch = watchFiles(options, processes.reload);
    let stopPromise: Promise<void> | undefined;
    return {
      url: processes.url,
      ...(admin !== undefined && { admin: admin.url }),
      reload: processes.reload,
      stop: () =>
        (stopPromise ??= (async () => {
          unwatch();
          await processes.stop();
          await admin?.close();
          store.dispose();
        })()),
    };
  } catch (error) {
    store.dispose();
    throw error;
  }
}

/** The processes that serve requests, seen from the one that starts them. */
interface SidecarProcesses {
  /** URL of the public port. */
  readonly url: string;
  /** Reloads the configuration files. */
  readonly reload: () => void;
  readiness(): Promise<Readiness>;
  /** The metrics of each process that answers. */
  snapshots(): Promise<readonly MetricsSnapshot[]>;
  /** Lists or ends sessions for an operator. */
  administerSessions(request: SessionsRequest): Promise<SessionsAnswer>;
  readonly log: Log;
  stop(): Promise<void>;
}

async function startSingleProcess(
  options: SidecarOptions,
  sharedOptions: SharedWorkerOptions,
): Promise<SidecarProcesses> {
  const worker = await startWorker(options, sharedOptions);
  return {
    url: worker.url,
    reload: () => void worker.reload(),
    readiness: () => worker.readiness(),
    snapshots: async () => [await worker.snapshot()],
    administerSessions: (request) => worker.administerSessions(request),
    log: worker.log,
    stop: () => worker.stop(),
  };
}

async function startWorkerProcesses(
  options: SidecarOptions,
  sharedOptions: SharedWorkerOptions,
): Promise<SidecarProcesses> {
  const workers = await startCluster(options, sharedOptions);
  const log = createLog(options.logLevel);
  let isStopping = false;
  return {
    url: workers.url,
    reload: () => workers.reload(),
    // The sidecar is ready when one worker is; the readiness of each worker reports what is down.
    readiness: async () => {
      const workerReadiness = isStopping ? [] : await workers.reports('readiness');
      return (
        workerReadiness.find(({ status }) => status === 'ready') ??
        workerReadiness[0] ?? { status: 'draining', down: [], checks: {} }
      );
    },
    snapshots: () => workers.reports('snapshot'),
    administerSessions: (request) => workers.administerSessions(request),
    log,
    stop: async () => {
      isStopping = true;
      await workers.stop();
      await log.end();
    },
  };
}

/** The store of the options, with notes for the log. */
interface TokenStoreLocation {
  /** Such as `sqlite:FILE` or `memory:`. */
  readonly url: string;
  /** Where the default store is, if not in the working directory, and why. */
  readonly notice?: string;
  /** Deletes the temporary file, if it is one. */
  dispose(): void;
}

/**
 * Where the token store is. By default it is embedded SQLite, so that ended sessions stay ended after
 * a restart. With several workers, which share no memory, `memory:` is a temporary SQLite file that
 * is deleted when the sidecar stops.
 */
function tokenStoreLocation({ tokenStore, workers, config }: SidecarOptions): TokenStoreLocation {
  const dispose = (): void => undefined;
  if (tokenStore === undefined) {
    const { path, fallbackReason } = defaultLocation(config);
    return {
      url: `sqlite:${path}`,
      dispose,
      ...(fallbackReason !== undefined && {
        notice: `the token store is ${path} (${fallbackReason})`,
      }),
    };
  }
  if (tokenStore !== 'memory:' || workers === 1) return { url: tokenStore, dispose };
  const directory = mkdtempSync(join(tmpdir(), 'castellan-sidecar-'));
  return {
    url: `sqlite:${join(directory, 'store.db')}`,
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}
