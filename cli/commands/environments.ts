import { addFormat, type FormatFlags, formatOf } from '../format.js';
import type { RegisterCommand } from '../command.js';

/** `castellan environments [path…]`: the environments of configurations, with what is applied to each and what drifted. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('environments')
      .description('List the environments of configurations, what is applied to the sandbox of each, and what drifted there.')
      .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.']),
  )
    .option('--no-drift', 'do not look for drift, which asks the services')
    .action(async (paths: string[], flags: FormatFlags & { readonly drift: boolean }) => {
      const { environments } = await import('../apply/environments.js');
      done(await environments({ paths, format: formatOf(flags), drift: flags.drift ? 'looked for' : 'left out' }, io));
    });
};
