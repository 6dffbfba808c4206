import * as module from 'node:module';
import type { CliIo } from './command.js';

/** A function that runs a command line and returns the exit code. */
export type Main = (args: readonly string[], io: CliIo) => Promise<number>;

/** The part of `node:module` that Node 20 lacks. */
interface CompileCache {
  readonly enableCompileCache?: () => unknown;
}

/**
 * Runs this process's command line. Where Node has a compile cache, it keeps what it compiles of
 * this package for the next run; `NODE_DISABLE_COMPILE_CACHE=1` turns that off.
 */
export async function start(load: () => Promise<{ readonly main: Main }>): Promise<void> {
  (module as CompileCache).enableCompileCache?.();
  const { main } = await load();
  const { reportError } = await import('./report-error.js');
  const io: CliIo = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    stdin: () => process.stdin,
  };
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // a reader that has closed the pipe, such as `head`, is no failure
    if (error.code === 'EPIPE') process.exit();
    process.exit(reportError(error, [], io));
  });
  // progress that nobody can read does not end the work
  process.stderr.on('error', () => undefined);
  process.exitCode = await main(process.argv.slice(2), io);
}

/** A signal that is aborted at the first interrupt of this process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort()).once('SIGTERM', () => controller.abort());
  return controller.signal;
}
