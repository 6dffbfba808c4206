import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { omitUndefined } from '../core/values/omit-undefined.js';
import packageJson from '../package.json';
import { requestSandbox } from './admin-client.js';
import {
  type AppSettingsByName,
  readAppSettings,
  writeAppSettings,
  readSettings,
} from './settings.js';
import { startBackground, stopBackground } from './background/process.js';
import type { ClockStatus } from './clock.js';
import { consoleUrl } from './console/authentication.js';
import { type ProviderChoice, sandboxEnvironmentVariables } from './environment-variables.js';
import type { FaultPlan } from './faults/fault.js';
import type { FaultsStatus } from './faults/injector.js';
import type { AppStatus } from './hosting/app-status.js';
import { prepareSandboxFolder, sandboxName, type SandboxPaths, sandboxPaths } from './paths.js';
import { writePrivate } from './private-file.js';
import type { RecordingStatus } from './recording/recorder.js';
import type { SeedLists } from '../services/common/seed.js';
import { readRunningState } from './state.js';

/** Options of {@link ensureSandbox}. */
export interface EnsureSandboxOptions {
  /** The folder with `.castellan/`. */
  readonly projectDir: string;
  /** The environment: each has its own sandbox. @default the one without an overlay */
  readonly environment?: string | undefined;
  /**
   * The objects that exist from the start (format of `castellan serve --seed`, names of the azure
   * dialect); applied when its content has changed, also to a running sandbox.
   */
  readonly seedFile?: string;
  /** Aborts the start. */
  readonly signal?: AbortSignal;
  /** Called with progress, a line at a time. */
  readonly onProgress?: (message: string) => void;
}

/** A running sandbox. */
export interface SandboxHandle {
  /** The folder with `.castellan/`. */
  readonly projectDir: string;
  /** The environment of the sandbox. @default the one without an overlay */
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
  readonly consoleUrl: string;
  /** Whether this call started it. */
  readonly started: boolean;
  /**
   * The environment variables with which Terraform uses it.
   *
   * @param env the earlier variables, whose authorities stay trusted. @default none
   */
  environmentVariables(
    providers: ProviderChoice,
    env?: Readonly<Record<string, string | undefined>>,
  ): Record<string, string>;
  /** Sets how apps run, by name; other apps keep their settings. */
  setApps(settings: AppSettingsByName): Promise<void>;
  /** The declared apps with their addresses and status. */
  apps(): Promise<readonly AppStatus[]>;
}

/**
 * Loaded when a seed is read, since it loads the services: half of the modules of a command that
 * only queries a sandbox.
 */
const loadSeedReader = () => import('./serve/seed-file.js');

/**
 * Starts a project's sandbox if it is not running, or restarts it if another version of castellan
 * started it, and returns what is needed to use it.
 *
 * @throws CAS4002 for an invalid seed, CAS4014 when its port is taken, CAS4011 when it does not start
 *   for another reason.
 */
export async function ensureSandbox(options: EnsureSandboxOptions): Promise<SandboxHandle> {
  const { projectDir, environment, seedFile, signal, onProgress } = options;
  const paths = sandboxPaths(projectDir, environment);
  if (seedFile !== undefined) (await loadSeedReader()).readSeedFile(seedFile); // valid, or CAS4002
  prepareSandboxFolder(paths);
  // not copyFileSync: a copy of a file that is only to be read could not be replaced later
  if (seedFile !== undefined) writePrivate(paths.seed, readFileSync(seedFile));
  const running = readRunningState(paths);
  if (running === undefined) onProgress?.('starting the sandbox');
  else if (running.version !== packageJson.version) {
    // an upgrade has replaced files that it has yet to load
    onProgress?.(`restarting the sandbox with castellan ${packageJson.version}`);
    await stopBackground(paths);
  }
  const { state, started } = await startBackground(paths, signal);
  if (!started && seedFile !== undefined)
    await requestSandbox(paths, 'PUT', '/seed', undefined, signal);
  const settings = readSettings(paths);
  onProgress?.(`the sandbox runs at ${state.origin}`);
  return {
    projectDir: paths.projectDir,
    ...omitUndefined({ environmentName: paths.environment }),
    origin: state.origin,
    pid: state.pid,
    tenantId: settings?.tenantId ?? '',
    subscriptionId: settings?.subscriptionId ?? '',
    caFile: paths.ca,
    consoleUrl: sandboxConsoleUrl(projectDir, environment),
    started,
    environmentVariables: (providers, env = {}) =>
      sandboxEnvironmentVariables(projectDir, { providers, environment, env }),
    setApps: (apps) => setSandboxApps(projectDir, apps, environment),
    apps: async () => (await requestSandbox<{ apps: AppStatus[] }>(paths, 'GET', '/status')).apps,
  };
}

/** Stops a project's sandbox; its data stays. @returns false if none was running. */
export async function stopSandbox(projectDir: string, environment?: string): Promise<boolean> {
  return stopBackground(sandboxPaths(projectDir, environment));
}

/**
 * Returns a project's sandbox to its seed: deletes objects, apps, clock, faults, log and Terraform's
 * states, and keeps its authority, port and ids. A running sandbox is restarted.
 */
export async function resetSandbox(projectDir: string, environment?: string): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  const isRunning = await stopBackground(paths);
  for (const file of [
    paths.database,
    `${paths.database}-wal`,
    `${paths.database}-shm`,
    paths.log,
    paths.apps,
    paths.clock,
    paths.faults,
    paths.state,
    ...terraformStateFiles(paths),
  ])
    rmSync(file, { force: true });
  for (const folder of [
    paths.hosting,
    paths.sockets,
    paths.creationJournals,
    join(paths.root, 'logs'),
  ])
    rmSync(folder, { recursive: true, force: true });
  if (isRunning) await startBackground(paths);
}

/** Terraform's states beside a sandbox, with their backups. */
function terraformStateFiles({ root }: SandboxPaths): readonly string[] {
  if (!existsSync(root)) return [];
  const names = readdirSync(root).filter((name) => /^terraform\..+\.tfstate/.test(name));
  return names.map((name) => join(root, name));
}

/** The status of a project's sandbox. */
export type SandboxStatus =
  | { readonly running: false; readonly projectDir: string }
  | {
      readonly running: true;
      readonly projectDir: string;
      /** The sandbox's address: `https://localhost:<port>`. */
      readonly origin: string;
      /** The id of the background process. */
      readonly pid: number;
      /** ISO 8601. */
      readonly startedAt: string;
      readonly tenantId: string;
      readonly subscriptionId: string;
      /** The certificate of the sandbox's authority, in PEM. */
      readonly caFile: string;
      /** The file with the log of the background process. */
      readonly log: string;
      /** Its time; ahead of the machine's after `castellan sandbox clock +30d`. */
      readonly clock: ClockStatus;
      /** The faults that it injects. */
      readonly faults: FaultsStatus;
      readonly apps: readonly AppStatus[];
    };

/** The status of a project's sandbox and its apps. */
export async function sandboxStatus(
  projectDir: string,
  environment?: string,
): Promise<SandboxStatus> {
  const paths = sandboxPaths(projectDir, environment);
  const state = readRunningState(paths);
  const settings = readSettings(paths);
  if (state === undefined || settings === undefined)
    return { running: false, projectDir: paths.projectDir };
  const { apps, clock, faults } = await requestSandbox<{
    apps: AppStatus[];
    clock: ClockStatus;
    faults: FaultsStatus;
  }>(paths, 'GET', '/status');
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
    clock,
    faults,
    apps,
  };
}

/**
 * The address of the console of a running sandbox. It contains the token: anyone with it can view
 * and change the sandbox.
 *
 * @throws CAS4012 when no sandbox is running.
 */
export function sandboxConsoleUrl(projectDir: string, environment?: string): string {
  const paths = sandboxPaths(projectDir, environment);
  const state = readRunningState(paths);
  const settings = readSettings(paths);
  if (state === undefined || settings === undefined)
    throw new CastellanError('CAS4012', `no sandbox is running for ${sandboxName(paths)}`);
  return consoleUrl(state.origin, settings);
}

/** Restarts an app of a running sandbox, as after a change of its command or image. */
export async function restartApp(
  projectDir: string,
  name: string,
  environment?: string,
): Promise<void> {
  await requestSandbox(
    sandboxPaths(projectDir, environment),
    'POST',
    `/apps/${encodeURIComponent(name)}/restart`,
  );
}

/** The time of a running sandbox. @throws CAS4012 when none is running. */
export function sandboxClockStatus(projectDir: string, environment?: string): Promise<ClockStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'GET', '/clock');
}

/**
 * Sets the clock of a running sandbox (see {@link SandboxClock.move}).
 *
 * @throws CAS4012 when none is running, CAS4020 for a change that is not valid.
 */
export function moveSandboxClock(
  projectDir: string,
  change: string,
  environment?: string,
): Promise<ClockStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'PUT', '/clock', { change });
}

/** The faults that a running sandbox injects. @throws CAS4012 when none is running. */
export function sandboxFaults(projectDir: string, environment?: string): Promise<FaultsStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'GET', '/faults');
}

/**
 * Lets a running sandbox inject faults, in place of earlier ones; they stay after a restart.
 *
 * @throws CAS4012 when none is running.
 */
export function setSandboxFaults(
  projectDir: string,
  plan: FaultPlan,
  environment?: string,
): Promise<FaultsStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'PUT', '/faults', plan);
}

/**
 * Records the calls of a running sandbox's services from now on, in place of an earlier recording.
 *
 * @param file its absolute path; undefined ends the recording.
 * @returns what is recorded, or was until now.
 * @throws CAS4012 when none is running, CAS4024 when the file can't be written.
 */
export function recordSandbox(
  projectDir: string,
  file: string | undefined,
  environment?: string,
): Promise<RecordingStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'PUT', '/recording', { file });
}

/** What a running sandbox records. @throws CAS4012 when none is running. */
export function sandboxRecording(
  projectDir: string,
  environment?: string,
): Promise<RecordingStatus> {
  return requestSandbox(sandboxPaths(projectDir, environment), 'GET', '/recording');
}

/**
 * Adds a seed to a sandbox: to a running one, and to its next start.
 *
 * @param seed text of a seed file; `name` is its name in messages.
 * @throws CAS4002 for an invalid seed, with file, line and column.
 */
export async function addSeed(
  projectDir: string,
  { text, name }: { readonly text: string; readonly name: string },
  environment?: string,
): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  const { parseSeed } = await loadSeedReader();
  const newSeed = parseSeed(text, name);
  prepareSandboxFolder(paths);
  const addedSeed = existsSync(paths.addedSeed)
    ? parseSeed(readFileSync(paths.addedSeed, 'utf8'), paths.addedSeed)
    : {};
  const lists = [
    ...new Set([...Object.keys(addedSeed), ...Object.keys(newSeed)]),
  ] as (keyof SeedLists)[];
  const combinedSeed = Object.fromEntries(
    lists.map((list) => [list, [...(addedSeed[list] ?? []), ...(newSeed[list] ?? [])]]),
  );
  if (readRunningState(paths) !== undefined) await requestSandbox(paths, 'POST', '/seed', newSeed);
  writePrivate(paths.addedSeed, `${JSON.stringify(combinedSeed, undefined, 2)}\n`);
}

/** The working folder of an app's `sandbox.command`; undefined for an app without one. */
export function appWorkingDirectory(
  projectDir: string,
  name: string,
  environment?: string,
): string | undefined {
  const paths = sandboxPaths(projectDir, environment);
  const settings = readAppSettings(paths)[name];
  return settings?.command === undefined
    ? undefined
    : resolve(paths.projectDir, settings.workingDirectory ?? '.');
}

/** Sets how apps run, by name; stored for the next start, and sent to a running sandbox. */
export async function setSandboxApps(
  projectDir: string,
  settings: AppSettingsByName,
  environment?: string,
): Promise<void> {
  const paths = sandboxPaths(projectDir, environment);
  prepareSandboxFolder(paths);
  const mergedSettings = { ...readAppSettings(paths), ...settings };
  if (readRunningState(paths) === undefined) writeAppSettings(paths, mergedSettings);
  else await requestSandbox(paths, 'PUT', '/apps', mergedSettings);
}
