import { addApplyOptions, readApplyOptions } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import type { FormatFlags } from '../format.js';
import { addFormat, formatOf } from '../format.js';

type PlanFlags = Parameters<typeof readApplyOptions>[1] & FormatFlags & { readonly out?: string };

/** `castellan plan [path…]`: what `up` would change. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(addApplyOptions(program.command('plan').description('Show what `up` would change, and what would be lost.')))
    .option(
      '--out <file>',
      'keep the plan, to apply exactly that with `castellan up --plan FILE`; it may hold secrets, as plans of Terraform do',
    )
    .action(async (paths: string[], { out, ...flags }: PlanFlags) => {
      const { plan } = await import('../apply/plan.js');
      done(await plan(readApplyOptions(paths, flags), { format: formatOf(flags), ...(out === undefined ? {} : { out }) }, io));
    });
};
