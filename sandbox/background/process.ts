import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync, closeSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { catalogue, type ErrorCode } from '../../core/errors/catalogue.js';
import { cliPath, errorPrefix } from '../command-line.js';
import { prepareSandboxFolder, sandboxName, type SandboxPaths } from '../paths.js';
import { readRunningState, type SandboxState } from '../state.js';
import { isLocked } from './lock.js';

/**
 * How long a sandbox may take to start, and how many bytes of seeds, which are applied before it
 * accepts connections, take a millisecond more on a slow machine.
 */
const startTimeout = { ms: 60_000, seedBytesPerMs: 50 };
/** How long a sandbox that runs may take to answer, or, after it was killed, to end. */
const answerTimeoutMs = 20_000;
/** How long a TLS handshake with a sandbox may take. */
const handshakeTimeoutMs = 2_000;

/**
 * Starts the background process of a sandbox and waits until it accepts connections; a running one
 * is kept.
 *
 * @param signal ends the wait, and the process that was started.
 * @throws CAS4014 when its port is taken, and other errors of the sandbox by which the process ends;
 *   CAS4011 when it ends otherwise or does not start within a minute (with large seeds, some more),
 *   or when a running one does not answer for 20 seconds.
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
  const child = spawn(
    process.execPath,
    [cliPath(), 'sandbox', 'run', '--project', paths.projectDir, ...environment],
    { detached: true, stdio: ['ignore', log, log], cwd: paths.projectDir },
  );
  closeSync(log);
  let exitReason: string | undefined;
  child.once('exit', (code, signalName) => (exitReason = signalName ?? `exit code ${code ?? 0}`));
  child.once('error', (error) => (exitReason = error.message));
  child.unref();
  signal?.addEventListener('abort', () => child.kill(), { once: true });
  const timeoutMs = startTimeout.ms + seedBytes(paths) / startTimeout.seedBytesPerMs;
  const deadline = Date.now() + timeoutMs;
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
      throw startError(paths, lastErrorIn(paths.log, logStart) ?? `it ended (${exitReason})`);
    await wait(50, undefined, signal === undefined ? {} : { signal });
  }
  throw new CastellanError(
    'CAS4011',
    `it was not ready within ${Math.round(timeoutMs / 1000)} s; its log is ${paths.log}`,
  );
}

function seedBytes({ seed, addedSeed }: SandboxPaths): number {
  const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(seed) + sizeOf(addedSeed);
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
  const deadline = Date.now() + answerTimeoutMs;
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
function completesHandshake(origin: string, paths: SandboxPaths): Promise<boolean> {
  const ca = readFileSync(paths.ca);
  return new Promise((done) => {
    const socket = connect({
      host: 'localhost',
      port: Number(new URL(origin).port),
      servername: 'localhost',
      ca,
    });
    const end = (isComplete: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      done(isComplete);
    };
    const timer = setTimeout(() => end(false), handshakeTimeoutMs);
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/**
 * The error of a process that ended at its start.
 *
 * @param reason as its log has it: `CAS4014 The sandbox's port is in use: …`
 */
function startError({ log }: SandboxPaths, reason: string): CastellanError {
  const code = sandboxErrorCodes.find((each) => reason.startsWith(`${each} `));
  if (code === undefined) return new CastellanError('CAS4011', `${reason}; its log is ${log}`);
  const message = reason.slice(`${code} ${catalogue[code].title}: `.length);
  return new CastellanError(code, `${message}; its log is ${log}`);
}

const sandboxErrorCodes = (Object.keys(catalogue) as ErrorCode[]).filter((code) =>
  code.startsWith('CAS4'),
);

/** The last error that a log has from an offset on, in bytes. */
function lastErrorIn(log: string, offset: number): string | undefined {
  const lines = readFileSync(log).subarray(offset).toString('utf8').trimEnd().split('\n');
  return lines.findLast((line) => line.startsWith(errorPrefix))?.slice(errorPrefix.length);
}

/** How long the process may take to end after SIGTERM, and then after SIGKILL. */
const stopTimeoutMs = { terminate: 15_000, kill: 5_000 };

/**
 * Stops the background process: it completes running requests, then stops its apps and itself.
 *
 * @returns false if none was running.
 * @throws CAS4011 when it does not even end when it is killed, CAS4013 when it belongs to another
 *   user.
 */
export async function stopBackground(paths: SandboxPaths): Promise<boolean> {
  const state = readRunningState(paths);
  if (state === undefined) return false;
  sendSignal(state.pid, 'SIGTERM', paths);
  const deadline = Date.now() + stopTimeoutMs.terminate;
  // another one may be started meanwhile
  while (readRunningState(paths)?.pid === state.pid) {
    if (Date.now() > deadline) sendSignal(state.pid, 'SIGKILL', paths);
    if (Date.now() > deadline + stopTimeoutMs.kill)
      throw new CastellanError('CAS4011', `process ${state.pid} does not end`);
    await wait(50);
  }
  return true;
}

/** The lock proves that the process is running, so the id belongs to no other process. */
function sendSignal(pid: number, signal: NodeJS.Signals, paths: SandboxPaths): void {
  try {
    process.kill(pid, signal);
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ESRCH') return;
    throw new CastellanError(
      'CAS4013',
      `process ${pid}, the sandbox of ${sandboxName(paths)}, belongs to another user: ${(cause as Error).message}`,
      { cause },
    );
  }
}
