import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { type AdminServer, startAdmin } from './admin.js';
import type { MetricsSnapshot } from './metrics.js';
import type { SidecarOptions } from './options.js';
import type { Readiness } from './readiness.js';
import type { SessionsAnswer, SessionsRequest } from './sessions.js';
import { startCluster } from './cluster.js';
import { watchFiles } from './watched-files.js';
import { defaultLocation } from '../token-store/default-location.js';
import { type Shared, startWorker } from './worker.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

/** A running sidecar. */
export interface RunningSidecar {
  /** URL of the public port. */
  readonly listening: string;
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
  const store = storeOf(options);
  const shared: Shared = {
    ownKey: randomBytes(32).toString('base64'),
    tokenStore: store.url,
    ...omitUndefined({ notice: store.notice }),
  };
  try {
    const crew =
      options.workers > 1 ? await withTeam(options, shared) : await alone(options, shared);
    let admin: AdminServer | undefined;
    try {
      admin =
        options.adminListen === undefined
          ? undefined
          : await startAdmin(options.adminListen, crew, options.adminToken);
    } catch (error) {
      await crew.stop();
      throw error;
    }
    const unwatch = watchFiles(options, crew.reload);
    let stopped: Promise<void> | undefined;
    return {
      listening: crew.listening,
      ...(admin !== undefined && { admin: admin.url }),
      reload: crew.reload,
      stop: () =>
        (stopped ??= (async () => {
          unwatch();
          await crew.stop();
          await admin?.close();
          store.dispose();
        })()),
    };
  } catch (error) {
    store.dispose();
    throw error;
  }
}

interface Crew {
  readonly listening: string;
  readonly reload: () => void;
  readiness(): Promise<Readiness>;
  snapshots(): Promise<readonly MetricsSnapshot[]>;
  sessions(request: SessionsRequest): Promise<SessionsAnswer>;
  stop(): Promise<void>;
}

async function alone(options: SidecarOptions, shared: Shared): Promise<Crew> {
  const worker = await startWorker(options, shared);
  return {
    listening: worker.listening,
    reload: () => void worker.reload(),
    readiness: () => worker.readiness(),
    snapshots: async () => [await worker.snapshot()],
    sessions: (request) => worker.sessions(request),
    stop: () => worker.stop(),
  };
}

async function withTeam(options: SidecarOptions, shared: Shared): Promise<Crew> {
  const team = await startCluster(options, shared);
  let stopping = false;
  return {
    listening: team.listening,
    reload: () => team.reload(),
    // The sidecar is ready when one worker is; the readiness of each worker reports what is down.
    readiness: async () => {
      const all = stopping ? [] : await team.reports('readiness');
      return (
        all.find(({ status }) => status === 'ready') ??
        all[0] ?? { status: 'draining', down: [], checks: {} }
      );
    },
    snapshots: () => team.reports('snapshot'),
    sessions: (request) => team.ask(request),
    stop: () => {
      stopping = true;
      return team.stop();
    },
  };
}

/** The store of the options, with notes for the log. */
interface Store {
  readonly url: string;
  readonly notice?: string;
  dispose(): void;
}

/**
 * By default it is embedded SQLite, so that ended sessions stay ended after a restart. With several
 * workers, whose memories would be separate, `memory:` is an SQLite file of this sidecar alone that
 * is deleted at the end.
 */
function storeOf({ tokenStore, workers, config }: SidecarOptions): Store {
  const dispose = (): void => undefined;
  if (tokenStore === undefined) {
    const { path, instead } = defaultLocation(config);
    return {
      url: `sqlite:${path}`,
      dispose,
      ...(instead !== undefined && { notice: `the token store is ${path} (${instead})` }),
    };
  }
  if (tokenStore !== 'memory:' || workers === 1) return { url: tokenStore, dispose };
  const directory = mkdtempSync(join(tmpdir(), 'castellan-sidecar-'));
  return {
    url: `sqlite:${join(directory, 'store.db')}`,
    dispose: () => rmSync(directory, { recursive: true, force: true }),
  };
}
