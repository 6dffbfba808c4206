import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  addAllowLossOptions,
  addApplyOptions,
  readApplyOptions,
  type ApplyFlags,
} from '../apply/options.js';
import { ChoiceOption } from '../choice-option.js';
import { printResult } from '../format.js';
import type { RegisterCommand } from '../command.js';

type PlanFlags = ApplyFlags & {
  /** The file that keeps the plan, for `up --plan`. */
  readonly out?: string;
  readonly access?: boolean;
  /** The source of the people for `access`: `sandbox`, `live` or a seed file. */
  readonly from?: string;
  readonly changed?: boolean;
  /** The commit or branch since which `changed` looks. */
  readonly base?: string;
};

/** `castellan plan [path…]`: shows what `up` would change. */
export const register: RegisterCommand = (program, io, done) => {
  addAllowLossOptions(
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
    .addOption(
      new ChoiceOption(
        '--from <source>',
        ['sandbox', 'live'],
        'the people of --access: sandbox, live, or a seed file (default: those of the target)',
      ),
    )
    .option(
      '--changed',
      'only the stacks that the change touches: since --base, or since the main branch',
    )
    .option('--base <commit>', 'the commit or branch since which --changed looks')
    .option('--verbose', "also show Terraform's own diff, with every attribute")
    .action(
      async (
        paths: string[],
        { out, access, from, changed, base, ...flags }: PlanFlags,
        command: Command,
      ) => {
        if (from !== undefined && access !== true)
          throw new CastellanError(
            'CAS8001',
            '--from says whose access --access compares: give --access, too',
          );
        if (base !== undefined && changed !== true)
          throw new CastellanError(
            'CAS8001',
            '--base says since when --changed looks: give --changed, too',
          );
        const { plan } = await import('../apply/plan.js');
        const options = readApplyOptions(paths, flags);
        const accessSource = { from: from ?? (options.target === 'azure' ? 'live' : 'sandbox') };
        const output = {
          ...omitUndefined({ out }),
          verbose: command.optsWithGlobals<{ verbose?: boolean }>().verbose === true,
          ...(access === true && { access: accessSource }),
        };
        if (changed !== true) return done(await plan(options, output, io));
        const { changedStacks } = await import('../changed-stacks.js');
        const { isTouched, hasTouchedStacks } = await changedStacks(options, base, io);
        if (hasTouchedStacks)
          return done(await plan({ ...options, isSelected: isTouched }, output, io));
        printResult(options.format, { stacks: [] }, '', io);
        done(exitCodes.clean);
      },
    );
};
