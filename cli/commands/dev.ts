import { type EnvironmentFlags, environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf } from '../format.js';

interface DevFlags extends FormatFlags, EnvironmentFlags {
  readonly person?: string;
}

/** `castellan dev [APP]`: works on an app of the sandbox without Terraform. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('dev'))
    .description(
      'Work on an app that is applied: its own command runs behind its sidecar, restarted when its files change, its output shown here. No Terraform.',
    )
    .argument('[app]', 'the name of the app (default: the only one)')
    .option('--person <name>', 'who the printed link signs in (default: the first person of the seed)')
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(async (app: string | undefined, flags: DevFlags) => {
      const { dev } = await import('../sandbox/dev.js');
      await dev({ app, person: flags.person, format: formatOf(flags), ...environmentOf(flags) }, io);
      done(0);
    });
};
