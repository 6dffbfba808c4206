import { CastellanError } from '../../core/errors/castellan-error.js';
import type { RegisterCommand } from '../command.js';
import {
  addAllowLossOptions,
  addApplyOptions,
  addApproval,
  readApplyOptions,
  type ApplyFlags,
} from '../apply/options.js';

/** `castellan up [path…]`: check, synthesize, plan, apply. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('up')
    .description('Check, synthesize and apply stacks: to the local sandbox, or to the cloud.');
  addAllowLossOptions(
    addApproval(
      addApplyOptions(command),
      'approve every change; --auto-approve=NAME approves those of a protected environment',
    ).option('--plan <file>', 'apply exactly what `castellan plan --out FILE` planned'),
  )
    .option(
      '--record <file>',
      "record every call of the sandbox's services meanwhile (HAR 1.2), secrets masked",
    )
    .option('--watch', 'apply again after each change of the configuration, until interrupted')
    .option('--detach', 'leave the sandbox running (it always is)', true)
    .action(async (paths: string[], flags: ApplyFlags & { readonly watch?: boolean }) => {
      if (flags.plan !== undefined && command.args.length > 0)
        throw new CastellanError(
          'CAS8001',
          `--plan applies the stacks in ${flags.plan}: leave out ${command.args.join(' ')}`,
        );
      if (flags.watch === true) {
        const { watchStacks } = await import('../apply/watch.js');
        return done(await watchStacks(readApplyOptions(paths, flags), io));
      }
      const { up } = await import('../apply/up.js');
      done(await up(readApplyOptions(paths, flags), io));
    });
};
