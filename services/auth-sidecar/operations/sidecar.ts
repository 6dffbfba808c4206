import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { startAdmin } from './admin.js';
import type { AdminServer } from './admin.js';
import type { MetricsSnapshot } from './metrics.js';
import type { SidecarOptions } from './options.js';
import { startTeam } from './team.js';
import { watchFiles } from './watch.js';
import { startWorker } from './worker.js';

/** A running sidecar. */
export interface RunningSidecar {
  /** URL of the port for the world. */
  readonly listening: string;
  /** URL of the admin port. */
  readonly admin?: string;
  /** Takes the present content of the configuration files. */
  reload(): void;
  /** Lets requests end and closes everything. */
  stop(): Promise<void>;
}

/** Starts the sidecar, in this process or with workers. @throws CAS6001 and CAS6004 to CAS6006 */
export async function startSidecar(options: SidecarOptions): Promise<RunningSidecar> {
  if (!Number.isInteger(options.workers) || options.workers < 1 || options.workers > 64)
    throw new CastellanError('CAS6004', '--workers must be a number from 1 to 64');
  const store = storeOf(options);
  const shared = { ownKey: randomBytes(32).toString('base64'), tokenStore: store.url };
  try {
    const crew = options.workers > 1 ? await withTeam(options, shared) : await alone(options, shared);
    let admin: AdminServer | undefined;
    try {
      admin = options.adminListen === undefined ? undefined : await startAdmin(options.adminListen, crew);
    } catch (error) {
      await crew.stop();
      throw error;
    }
    const unwatch = watchFiles(options, crew.reload);
    let stopped: Promise<void> | undefined;
    return {
      listening: crew.listening,
      ...(admin === undefined ? {} : { admin: admin.url }),
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
  ready(): Promise<boolean>;
  snapshots(): Promise<readonly MetricsSnapshot[]>;
  stop(): Promise<void>;
}

async function alone(options: SidecarOptions, shared: { readonly ownKey: string; readonly tokenStore: string }): Promise<Crew> {
  const worker = await startWorker(options, shared);
  return {
    listening: worker.listening,
    reload: () => void worker.reload(),
    ready: () => worker.ready(),
    snapshots: () => Promise.resolve([worker.snapshot()]),
    stop: () => worker.stop(),
  };
}

async function withTeam(options: SidecarOptions, shared: { readonly ownKey: string; readonly tokenStore: string }): Promise<Crew> {
  const team = await startTeam(options, shared);
  let stopping = false;
  return {
    listening: team.listening,
    reload: () => team.reload(),
    ready: async () => !stopping && (await team.reports()).some(({ ready }) => ready),
    snapshots: async () => (await team.reports()).map(({ snapshot }) => snapshot),
    stop: () => {
      stopping = true;
      return team.stop();
    },
  };
}

/**
 * The store of the options. Without one it lives as long as the sidecar: in memory, or for workers, who would each have a memory of their
 * own, as embedded SQLite in a private file that goes at the end.
 */
function storeOf(options: SidecarOptions): { readonly url: string; dispose(): void } {
  const { tokenStore, workers } = options;
  const url = tokenStore ?? 'memory:';
  if (url !== 'memory:' || workers === 1) return { url, dispose: () => undefined };
  const directory = mkdtempSync(join(tmpdir(), 'castellan-sidecar-'));
  return { url: `sqlite:${join(directory, 'store.db')}`, dispose: () => rmSync(directory, { recursive: true, force: true }) };
}
