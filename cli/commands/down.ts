import {
  addApplyOptions,
  addApproval,
  readApplyOptions,
  type ApplyFlags,
} from '../apply/options.js';
import type { RegisterCommand } from '../command.js';

/** `castellan down [path…]`: destroys stacks. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program.command('down').description('Destroy stacks.');
  addApproval(
    addApplyOptions(command),
    'destroy without asking; --auto-approve=NAME for a protected environment',
  )
    .option('--all', 'stop the sandbox, too')
    .action(async (paths: string[], flags: ApplyFlags & { readonly all?: boolean }) => {
      const { down } = await import('../apply/down.js');
      done(
        await down(
          readApplyOptions(paths, flags),
          flags.all === true ? 'stack and sandbox' : 'stack',
          io,
        ),
      );
    });
};
