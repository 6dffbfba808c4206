import type { RegisterCommand } from '../command.js';
import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import { addFormat, formatOf } from '../format.js';

const formats = ['text', 'json', 'env'] as const;

/** `castellan output [NAME]`: addresses and ids of what was applied. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('output')
      .description('Print addresses and ids of what was applied: for people, as JSON, or as variables for a shell.')
      .argument('[name]', 'one value, such as containerApps.shop.url, or everything of one declaration, such as shop'),
    formats,
  )
    .option('--target <target>', 'sandbox or azure', 'sandbox')
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(
      async (
        name: string | undefined,
        flags: Parameters<typeof environmentOf>[0] & { readonly format?: string; readonly json?: boolean; readonly target: string },
      ) => {
        const { output } = await import('../apply/output.js');
        const format = formatOf(flags, formats);
        done(await output({ name, format, target: flags.target, ...environmentOf(flags) }, io));
      },
    );
};
