#!/usr/bin/env node
import { join } from 'node:path';
import type { CliIo } from './command.js';
import { loadCompiled } from './compiled-file.js';

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

type Main = (args: readonly string[], io: CliIo) => Promise<number>;

async function run(args: readonly string[], io: CliIo): Promise<void> {
  const file = bundleOf(args);
  if (file === undefined) {
    const { main } = await (args[0] === 'sidecar' ? import('./sidecar-main.js') : import('./main.js'));
    process.exitCode = await main(args, io);
    return;
  }
  const { exports, keep } = loadCompiled(join(__dirname, file), io.env);
  process.exitCode = await (exports as { readonly main: Main }).main(args, io);
  keep();
}

/** The one file of a command that runs for a moment only. */
function bundleOf(args: readonly string[]): string | undefined {
  // A check that looks at live services needs the clients, which stay out of the one file.
  if (args[0] === 'check' && !args.includes('--live')) return 'check-main.js';
  return args[0] === 'synth' ? 'synth-main.js' : undefined;
}
