import type { Command } from 'commander';
import { CastellanError } from '../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../core/text/nearest.js';

/**
 * Lets a subcommand that its parent runs where none is named refuse a word as the unknown command
 * that it is: it takes no words itself.
 */
export function refuseUnknownSubcommands(command: Command): Command {
  return command.allowExcessArguments().hook('preAction', (_command, { args, parent }) => {
    const [word] = args;
    if (word === undefined) return;
    const names = (parent?.commands ?? []).map((each) => each.name());
    throw new CastellanError(
      'CAS8001',
      `unknown command "${word}"${didYouMean(nearest(word, names), `; commands: ${names.join(', ')}`, ',')}`,
    );
  });
}
