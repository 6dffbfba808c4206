import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

/** `castellan status`: what runs, and where. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('status').description('Show the sandbox, the stacks applied to it and where their apps are.'))
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(async (flags: FormatFlags & Parameters<typeof environmentOf>[0]) => {
      const { status } = await import('../apply/status.js');
      done(await status(environmentOf(flags).environment, formatOf(flags), io));
    });
};
