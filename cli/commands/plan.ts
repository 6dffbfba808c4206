import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { addAllowances, addApplyOptions, readApplyOptions } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';

type PlanFlags = Parameters<typeof readApplyOptions>[1] & {
  readonly out?: string;
  readonly access?: boolean;
  readonly from?: string;
};

/** `castellan plan [path…]`: shows what `up` would change. */
export const register: RegisterCommand = (program, io, done) => {
  addAllowances(
    addApplyOptions(
      program.command('plan').description('Show what `up` would change, and what would be lost.'),
    ),
  )
    .option(
      '--out <file>',
      'keep the plan, to apply exactly that with `castellan up --plan FILE`; it may hold secrets, as plans of Terraform do',
    )
    .option(
      '--access',
      'also show who gains and loses access, and why; with findings of the access rules the exit code is 1',
    )
    .option(
      '--from <source>',
      'the people of --access: sandbox, live, or a seed file (default: those of the target)',
    )
    .option('--verbose', "also show Terraform's own diff, with every attribute")
    .action(
      async (paths: string[], { out, access, from, ...flags }: PlanFlags, command: Command) => {
        if (from !== undefined && access !== true)
          throw new CastellanError(
            'CAS8001',
            '--from says whose access --access compares: give --access, too',
          );
        const { plan } = await import('../apply/plan.js');
        const options = readApplyOptions(paths, flags);
        const people = { from: from ?? (options.target === 'azure' ? 'live' : 'sandbox') };
        const output = {
          ...omitUndefined({ out }),
          verbose: command.optsWithGlobals<{ verbose?: boolean }>().verbose === true,
          ...(access === true ? { access: people } : {}),
        };
        done(await plan(options, output, io));
      },
    );
};
