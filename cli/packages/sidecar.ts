import type { CliIo } from '../command.js';
import { register } from '../commands/sidecar.js';
import { runCommands } from '../run-commands.js';

const commands = { sidecar: { summary: '', load: () => Promise.resolve({ register }) } };

/** Runs a command line of the package castellan-sidecar: the command word may be omitted. */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  const own = args[0] === 'serve' ? args.slice(1) : args;
  const isWhole = own[0] === 'sidecar' || own[0] === '--version';
  return runCommands(commands, isWhole ? own : ['sidecar', ...own], io);
}
