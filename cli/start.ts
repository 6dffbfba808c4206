import type { CliIo } from './command.js';
import { directOutput } from './direct-output.js';

/** A function that runs a command line and returns the exit code. */
export type Main = (args: readonly string[], io: CliIo) => Promise<number>;

/** Runs this process's command line. */
export async function start(main: Main): Promise<void> {
  process.exitCode = await main(process.argv.slice(2), {
    stdout: directOutput(1, stdout),
    stderr: directOutput(2, () => process.stderr),
    env: process.env,
    cwd: process.cwd(),
    // opened only by a command that asks a question
    get stdin() {
      return process.stdin;
    },
  });
}

/** A signal that is aborted at the first interrupt of this process. */
export function interruption(): AbortSignal {
  const end = new AbortController();
  process.once('SIGINT', () => end.abort()).once('SIGTERM', () => end.abort());
  return end.signal;
}

function stdout(): NodeJS.WriteStream {
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', endQuietly);
  return process.stdout;
}

/** A reader that has closed the pipe, such as `head`, is no failure. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}
