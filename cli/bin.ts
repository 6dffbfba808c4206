#!/usr/bin/env node
import type { CliIo } from './command.js';

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

void run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  cwd: process.cwd(),
  // opened only by a command that asks
  get stdin() {
    return process.stdin;
  },
});

async function run(args: readonly string[], io: CliIo): Promise<void> {
  // A check that looks at live services needs the clients, which stay out of the one file.
  const alone = args[0] === 'check' && !args.includes('--live');
  const { main } = await (alone ? import('./check-main.js') : args[0] === 'sidecar' ? import('./sidecar-main.js') : import('./main.js'));
  process.exitCode = await main(args, io);
}
