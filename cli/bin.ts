#!/usr/bin/env node
import { join } from 'node:path';
import { loadCompiled } from './compiled-file.js';
import { type Main, start } from './start.js';

/** Commands that run until they are stopped. */
const servers = ['sandbox-main.js', 'sidecar-main.js'];
/**
 * The delay before a server writes its compiled code, in milliseconds: later than the first
 * requests of the command that started it.
 */
const quietAfter = 10_000;

void start(async (args, io) => {
  const file = bundleOf(args);
  if (file === undefined) {
    const { main } = await import('./main.js');
    return main(args, io);
  }
  const { exports, keep } = loadCompiled(join(__dirname, file), io.env);
  // While a server runs, V8 discards the code that only its start needed.
  if (servers.includes(file)) setTimeout(keep, quietAfter).unref();
  const exitCode = await (exports as { readonly main: Main }).main(args, io);
  keep();
  // All output is written synchronously: exiting at once then saves a last garbage collection (4
  // ms).
  if (process.platform === 'linux') process.exit(exitCode);
  return exitCode;
});

/** The bundle of a command that users wait for. */
function bundleOf(args: readonly string[]): string | undefined {
  if (args[0] === 'check' && !args.some((each) => each.startsWith('-')))
    return 'check-paths-main.js';
  // A check of live services needs the clients, which are not in the bundle.
  if (args[0] === 'check' && !args.includes('--live')) return 'check-main.js';
  if (args[0] === 'sandbox' && args[1] === 'run') return 'sandbox-main.js';
  if (args[0] === 'sidecar') return 'sidecar-main.js';
  return ['synth', 'plan', 'up', 'down', 'output'].includes(args[0] ?? '')
    ? 'stacks-main.js'
    : undefined;
}
