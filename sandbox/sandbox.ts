import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { askSandbox } from './admin-client.js';
import { type AppSettingsByName, readAppSettings, writeAppSettings, readSettings } from './settings.js';
import { startBackground, stopBackground } from './background/process.js';
import { consoleUrl } from './console/access.js';
import { type ProviderChoice, sandboxEnvironment } from './environment.js';
import type { AppStatus } from './hosting/app-status.js';
import { prepareFolder, sandboxPaths } from './paths.js';
import { writePrivate } from './private-file.js';
import type { SeedSection } from '../services/common/seed.js';
import { runningState } from './state.js';

/** How {@link ensureSandbox} starts. */
export interface EnsureSandboxOptions {
  /** The folder whose `.castellan/` holds everything. */
  readonly projectDir: string;
  /** The environment whose sandbox it is: each has its own. @default the one without an overlay */
  readonly environment?: string | undefined;
  /**
   * What exists from the start (format of `castellan serve --seed`, names of the azure dialect); applied idempotently, also to a sandbox
   * that runs.
   */
  readonly seedFile?: string;
  /** Ends the start. */
  readonly signal?: AbortSignal;
  /** Called with progress, a line at a time. */
  readonly onProgress?: (message: string) => void;
}

/** A sandbox that runs. */
export interface SandboxHandle {
  /** The folder whose `.castellan/` holds everything. */
  readonly projectDir: string;
  /** The environment whose sandbox it is. @default the one without an overlay */
  readonly environmentName?: string;
  /** The sandbox's address: `https://localhost:<port>`. */
  readonly origin: string;
  /** The process id of the sandbox. */
  readonly pid: number;
  /** The id of its tenant. */
  readonly tenantId: string;
  /** The id of its subscription. */
  readonly subscriptionId: string;
  /** The certificate of its authority, for `curl --cacert`. */
  readonly caFile: string;
  /** The address of the console, with its token. */
  readonly console: string;
  /** Whether this call started it. */
  readonly started: boolean;
  /** What Terraform needs to work against it. */
  environment(providers: ProviderChoice): Record<string, string>;
  /** Says how apps run, by name; apps that aren't named keep what was said before. */
  setApps(settings: AppSettingsByName): Promise<void>;
  /** The declared apps with their addresses and status. */
  apps(): Promise<readonly AppStatus[]>;
}

/** The reader of seeds loads the services: half of the modules of a command that only queries a sandbox. */
const seedFiles = () => import('./serve/seed-file.js');

/**
 * Makes sure that a project's sandbox runs, and gives what is needed to use it.
 *
 * @throws CAS4002 for a bad seed, CAS4011 when it doesn't start, CAS4014 when its port was taken.
 */
export async function ensureSandbox(options: EnsureSandboxOptions): Promise<SandboxHandle> {
  const { projectDir, environment, seedFile, signal, onProgress } = options;
  const paths = sandboxPaths(projectDir, environment);
  const seed = seedFile === undefined ? undefined : (await seedFiles()).readSeedFile(seedFile);
  prepareFolder(paths);
  if (seedFile !== undefined) copyFileSync(seedFile, paths.seed);
  if (runningState(paths) === undefined) onProgress?.('starting the sandbox');
  const { state, started } = await startBackground(paths, signal);
  if (!started && seed !== undefined) await askSandbox(paths, 'POST', '/seed', seed, signal);
  const settings = readSettings(paths);
  onProgress?.(`the sandbox runs at ${state.origin}`);
  return {
    projectDir: paths.projectDir,
    ...(paths.environment === undefined ? {} : { environmentName: paths.environment }),
    origin: state.origin,
    pid: state.pid,
    tenantId: settings?.tenantId ?? '',
    subscriptionId: settings?.subscriptionId ?? '',
    caFile: paths.ca,
    console: sandboxConsole(projectDir, environment),
    started,
    environment: (providers) => sandboxEnvironment(projectDir, { providers, environment }),
    setApps: (apps) => setSandboxApps(projectDir, apps, environment),
    apps: async () => (await askSandbox<{ apps: AppStatus[] }>(paths, 'GET', '/status')).apps,
  };
}

/** Ends a project's sandbox; what it keeps stays. @returns false when none was running. */
export async function stopSandbox(projectDir: string, environment?: string): Promise<boolean> {
  return stopBackground(sandboxPaths(projectDir, environment));
}

/** Ends a project's sandbox and deletes its data: objects, apps, log. Its authority, port and ids stay. */
export async function resetSandbox(projectDir: string, environment?: string): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  await stopBackground(paths);
  for (const file of [
    paths.database,
    `${paths.database}-wal`,
    `${paths.database}-shm`,
    paths.log,
    paths.seed,
    paths.addedSeed,
    paths.apps,
    paths.state,
  ])
    rmSync(file, { force: true });
  for (const folder of [paths.hosting, paths.sockets, paths.creations, join(paths.root, 'logs')])
    rmSync(folder, { recursive: true, force: true });
}

/** The status of a project's sandbox. */
export type SandboxStatus =
  | { readonly running: false; readonly projectDir: string }
  | {
      readonly running: true;
      readonly projectDir: string;
      readonly origin: string;
      readonly pid: number;
      readonly startedAt: string;
      readonly tenantId: string;
      readonly subscriptionId: string;
      readonly caFile: string;
      readonly log: string;
      readonly apps: readonly AppStatus[];
    };

/** The status of a project's sandbox and its apps. */
export async function sandboxStatus(projectDir: string, environment?: string): Promise<SandboxStatus> {
  const paths = sandboxPaths(projectDir, environment);
  const state = runningState(paths);
  const settings = readSettings(paths);
  if (state === undefined || settings === undefined) return { running: false, projectDir: paths.projectDir };
  const { apps } = await askSandbox<{ apps: AppStatus[] }>(paths, 'GET', '/status');
  return {
    running: true,
    projectDir: paths.projectDir,
    origin: state.origin,
    pid: state.pid,
    startedAt: state.startedAt,
    tenantId: settings.tenantId,
    subscriptionId: settings.subscriptionId,
    caFile: paths.ca,
    log: paths.log,
    apps,
  };
}

/**
 * The address of the console of a running sandbox. It carries the token that lets one look and act.
 *
 * @throws CAS4012 when no sandbox is running.
 */
export function sandboxConsole(projectDir: string, environment?: string): string {
  const paths = sandboxPaths(projectDir, environment);
  const [state, settings] = [runningState(paths), readSettings(paths)];
  if (state === undefined || settings === undefined) throw new CastellanError('CAS4012', `no sandbox is running for ${paths.projectDir}`);
  return consoleUrl(state.origin, settings);
}

/** Starts an app of a running sandbox again, as after a change of what it runs. */
export async function restartApp(projectDir: string, name: string, environment?: string): Promise<void> {
  await askSandbox(sandboxPaths(projectDir, environment), 'POST', `/apps/${encodeURIComponent(name)}/restart`);
}

/**
 * Adds what a seed says to a sandbox: to one that runs, and to what the next start of it applies.
 *
 * @param seed text of a seed file; `name` is what messages call it.
 * @throws CAS4002 for a bad seed, with file, line and column.
 */
export async function addSeed(
  projectDir: string,
  { text, name }: { readonly text: string; readonly name: string },
  environment?: string,
): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  const { parseSeed } = await seedFiles();
  const added = parseSeed(text, name);
  prepareFolder(paths);
  const addedSeed = existsSync(paths.addedSeed) ? parseSeed(readFileSync(paths.addedSeed, 'utf8'), paths.addedSeed) : {};
  const lists = [...new Set([...Object.keys(addedSeed), ...Object.keys(added)])] as (keyof SeedSection)[];
  const all = Object.fromEntries(lists.map((list) => [list, [...(addedSeed[list] ?? []), ...(added[list] ?? [])]]));
  if (runningState(paths) !== undefined) await askSandbox(paths, 'POST', '/seed', added);
  writePrivate(paths.addedSeed, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** The folder that an app's `sandbox.command` runs in; undefined for an app that has none. */
export function appFolder(projectDir: string, name: string, environment?: string): string | undefined {
  const paths = sandboxPaths(projectDir, environment);
  const settings = readAppSettings(paths)[name];
  return settings?.command === undefined ? undefined : resolve(paths.projectDir, settings.workingDirectory ?? '.');
}

/** Says how apps run, by name; kept for when the sandbox starts, and sent to one that runs. */
export async function setSandboxApps(projectDir: string, settings: AppSettingsByName, environment?: string): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  prepareFolder(paths);
  const merged = { ...readAppSettings(paths), ...settings };
  if (runningState(paths) === undefined) writeAppSettings(paths, merged);
  else await askSandbox(paths, 'PUT', '/apps', merged);
}
