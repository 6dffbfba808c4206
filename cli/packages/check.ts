import { checkCommands, completionCommand } from '../check-commands.js';
import type { CliIo, CommandEntry } from '../command.js';
import { runCommands } from '../run-commands.js';

const commands: Readonly<Record<string, CommandEntry>> = {
  ...checkCommands,
  completion: completionCommand(() => commands),
};

/**
 * Runs a command line of the package castellan-check: the commands that neither synthesize nor
 * apply.
 */
export function main(args: readonly string[], io: CliIo): Promise<number> {
  return runCommands(commands, args, io, 'the package castellan has the others');
}
