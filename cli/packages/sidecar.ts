import type { CliIo } from '../command.js';
import { register } from '../commands/sidecar.js';
import { runCommands } from '../run-commands.js';

const commands = { sidecar: { summary: '', load: () => Promise.resolve({ register }) } };

/** Runs a command line of the package castellan-sidecar: the command word may be omitted. */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  const words = args[0] === 'serve' ? args.slice(1) : args;
  const hasCommand = words[0] === 'sidecar' || words[0] === '--version';
  return runCommands(commands, hasCommand ? words : ['sidecar', ...words], io);
}
