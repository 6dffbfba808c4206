import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The repository's root. */
export const root = resolve(__dirname, '../..');
/** The built command line; the suite builds before it runs. `CASTELLAN_CLI` names another build. */
export const cliPath = process.env['CASTELLAN_CLI'] ?? join(root, 'dist/cli/bin.js');

/** The result of a command. */
export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `castellan …` in a process of its own and waits for its end. */
export function castellan(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<CliResult> {
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: options.cwd ?? root,
    env: { ...process.env, NO_COLOR: '1', CI: '1', ...options.env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((done, fail) => {
    child.once('error', fail);
    // a command that does not read its input may end before the input is written
    child.stdin.on(
      'error',
      (error: NodeJS.ErrnoException) => error.code === 'EPIPE' || fail(error),
    );
    child.stdin.end(options.input ?? '');
    child.once('close', (exitCode) => done({ exitCode, stdout, stderr }));
  });
}

/** A command that keeps running, with the JSON of its first line on stdout. */
export interface RunningCli {
  readonly process: ChildProcess;
  readonly ready: Readonly<Record<string, string>>;
  /** Returns what it has written to stderr so far. */
  log(): string;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts a server command (`serve`, `sidecar`) and waits for its first line on stdout, which is
 * JSON.
 */
export async function startCastellan(
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<RunningCli> {
  const child = spawn(process.execPath, [cliPath, ...args], {
    cwd: options.cwd ?? root,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const exit = new Promise<number | null>((done) => child.once('close', done));
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([
    new Promise<string>((done) => lines.once('line', done)),
    exit.then((code) =>
      Promise.reject(
        new Error(
          `castellan ${args.join(' ')} ended with ${String(code)} before it was ready:\n${log}`,
        ),
      ),
    ),
  ]);
  return {
    process: child,
    ready: JSON.parse(first) as Record<string, string>,
    log: () => log,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return exit;
    },
  };
}
