import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

/** `castellan diff ONE OTHER [path…]`: what differs between two environments as they are declared. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('diff')
      .description('Show what differs between two environments as they are declared; `default` is the one without an overlay.')
      .argument('<one>', 'an environment')
      .argument('<other>', 'another environment')
      .argument('[path...]', 'castellan.yaml files, or folders that hold one', ['.']),
  )
    .option('--exit-code', 'end with 1 where something differs')
    .action(async (one: string, other: string, paths: string[], flags: FormatFlags & { readonly exitCode?: boolean }) => {
      const { diffEnvironments } = await import('../apply/diff-environments.js');
      const differs = await diffEnvironments({ one, other, paths, format: formatOf(flags) }, io);
      done(flags.exitCode === true && differs ? 1 : 0);
    });
};
