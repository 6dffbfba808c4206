import type { RegisterCommand } from '../command.js';
import { addApplyOptions, readApplyOptions } from '../apply/options.js';

/** `castellan up [path…]`: check, synthesize, plan, apply. */
export const register: RegisterCommand = (program, io, done) => {
  addApplyOptions(program.command('up').description('Check, synthesize and apply stacks: to the local sandbox, or to the cloud.'))
    .option('--auto-approve', 'needed to change the cloud')
    .option('--allow-replace', 'let changes pass that lose data: replacing or deleting an eventhouse, a group, a registration')
    .option('--detach', 'leave the sandbox running (it always is)', true)
    .action(async (paths: string[], flags: Parameters<typeof readApplyOptions>[1]) => {
      const { up } = await import('../apply/up.js');
      done(await up(readApplyOptions(paths, flags), io));
    });
};
