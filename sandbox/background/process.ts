import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, closeSync, statSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { prepareSandboxFolder, type SandboxPaths } from '../paths.js';
import { readRunningState, type SandboxState } from '../state.js';
import { isLocked } from './lock.js';

/** How long a sandbox may take to start. */
const startTimeoutMs = 60_000;
/** How long the process of a killed sandbox may take to end. */
const killedExitTimeoutMs = 20_000;
/** How long a TLS handshake with a sandbox may take. */
const handshakeTimeoutMs = 2_000;

/**
 * Starts the background process of a sandbox and waits until it accepts connections; a running one
 * is kept.
 *
 * @throws CAS4011 with the end of its log when it does not start.
 */
export async function startBackground(
  paths: SandboxPaths,
  signal?: AbortSignal,
): Promise<{ state: SandboxState; started: boolean }> {
  const running = await stateOnceAnswering(paths, signal);
  if (running !== undefined) return { state: running, started: false };
  prepareSandboxFolder(paths);
  const logStart = existsSync(paths.log) ? statSync(paths.log).size : 0;
  const log = openSync(paths.log, 'a', 0o600);
  const environment = paths.environment === undefined ? [] : ['--environment', paths.environment];
  // Terraform's own variables are not passed on: the declarations define the environment of the
  // sandbox's apps.
  const child = spawn(
    process.execPath,
    [cliPath(), 'sandbox', 'run', '--project', paths.projectDir, ...environment],
    {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: paths.projectDir,
      env: { ...process.env, TF_REATTACH_PROVIDERS: undefined },
    },
  );
  closeSync(log);
  let exitReason: string | undefined;
  child.once('exit', (code, signalName) => (exitReason = signalName ?? `exit code ${code ?? 0}`));
  child.once('error', (error) => (exitReason = error.message));
  child.unref();
  const deadline = Date.now() + startTimeoutMs;
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    const state = readRunningState(paths);
    if (state !== undefined && (await completesHandshake(state.origin, paths))) {
      const started = state.pid === child.pid;
      // Of two starts at the same time, the second process ends when the lock is taken: only then
      // is its log complete.
      if (started || exitReason !== undefined) return { state, started };
    }
    // If the lock is taken, another process is starting the sandbox, which is used then.
    if (exitReason !== undefined && !isLocked(paths.lock))
      throw new CastellanError(
        'CAS4011',
        `${lastErrorIn(paths.log, logStart) ?? `it ended (${exitReason})`}; its log is ${paths.log}`,
      );
    await wait(50, undefined, signal === undefined ? {} : { signal });
  }
  throw new CastellanError(
    'CAS4011',
    `it was not ready within ${startTimeoutMs / 1000} s; its log is ${paths.log}`,
  );
}

/**
 * The state of a running sandbox, once it answers; undefined if none is running. A recently killed
 * sandbox may still have the lock, and a starting one may have it while the state file is that of
 * the killed one: waits until one of them answers or the lock is free.
 */
async function stateOnceAnswering(
  paths: SandboxPaths,
  signal?: AbortSignal,
): Promise<SandboxState | undefined> {
  const deadline = Date.now() + killedExitTimeoutMs;
  for (;;) {
    const state = readRunningState(paths);
    if (state === undefined || (await completesHandshake(state.origin, paths))) return state;
    if (Date.now() > deadline)
      throw new CastellanError(
        'CAS4011',
        `process ${state.pid} runs but does not answer at ${state.origin}; its log is ${paths.log}`,
      );
    await wait(50, undefined, signal === undefined ? {} : { signal });
  }
}

/**
 * Whether the process behind an origin completes a TLS handshake. An open port does not prove that
 * it runs: the system accepts connections for a killed process until it is gone, which takes a
 * while when it was writing to a slow disk.
 */
function completesHandshake(origin: string, { ca }: SandboxPaths): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({
      host: 'localhost',
      port: Number(new URL(origin).port),
      servername: 'localhost',
      ca: readFileSync(ca),
    });
    const end = (isComplete: boolean): void => {
      socket.destroy();
      done(isComplete);
    };
    socket.setTimeout(handshakeTimeoutMs, () => end(false));
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** How the command line begins an error on stderr. */
export const errorPrefix = 'castellan: ';

/** The last error that a log has after its first bytes. */
function lastErrorIn(log: string, firstBytes: number): string | undefined {
  const lines = readFileSync(log).subarray(firstBytes).toString('utf8').trimEnd().split('\n');
  return lines.findLast((line) => line.startsWith(errorPrefix))?.slice(errorPrefix.length);
}

/**
 * The built command line: in the folder of a bundled command, beside this file's, or (when run from
 * the sources) in dist/.
 */
export function cliPath(): string {
  const places = ['bin.js', '../../cli/bin.js', '../../dist/cli/bin.js'].map((place) =>
    join(__dirname, place),
  );
  return places.find((place) => existsSync(place)) ?? join(__dirname, 'bin.js');
}

/** How long the process may take to end after SIGTERM, and then after SIGKILL. */
const stopTimeoutMs = { terminate: 15_000, kill: 5_000 };

/**
 * Stops the background process: it completes running requests, then stops its apps and itself.
 *
 * @returns false if none was running.
 */
export async function stopBackground(paths: SandboxPaths): Promise<boolean> {
  const state = readRunningState(paths);
  if (state === undefined) return false;
  sendSignal(state.pid, 'SIGTERM');
  const deadline = Date.now() + stopTimeoutMs.terminate;
  while (readRunningState(paths) !== undefined) {
    if (Date.now() > deadline) sendSignal(state.pid, 'SIGKILL');
    if (Date.now() > deadline + stopTimeoutMs.kill)
      throw new CastellanError('CAS4011', `process ${state.pid} does not end`);
    await wait(50);
  }
  rmSync(paths.state, { force: true });
  return true;
}

/** The lock proves that the process is running, so the id belongs to no other process. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}
