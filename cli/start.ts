import type { CliIo } from './command.js';

/** What runs a command line: it answers with the exit code. */
export type Main = (args: readonly string[], io: CliIo) => Promise<number>;

/** Runs this process's command line. */
export async function start(main: Main): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    // opened only by a command that asks
    get stdin() {
      return process.stdin;
    },
  });
}
