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
  process.stdout.on('error', endQuietly);
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    stdin: () => process.stdin,
  });
}

/** A signal that is aborted at the first interrupt of this process. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort()).once('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** A reader that has closed the pipe, such as `head`, is no failure. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}
