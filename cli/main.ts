import type { CliIo } from './command.js';
import { commands } from './commands.js';
import { runCommands } from './run-commands.js';

/** Runs one command line of `castellan` and returns its exit code. */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  return runCommands(commands, args, io);
}
