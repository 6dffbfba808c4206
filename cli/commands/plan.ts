import { addApplyOptions, readApplyOptions } from '../apply/options.js';
import type { RegisterCommand } from '../command.js';

/** `castellan plan [path…]`: what `up` would change. */
export const register: RegisterCommand = (program, io, done) => {
  addApplyOptions(program.command('plan').description('Show what `up` would change, and what would be lost.'))
    .option('--json', 'print the changes as JSON')
    .action(async (paths: string[], flags: Parameters<typeof readApplyOptions>[1] & { readonly json?: boolean }) => {
      const { plan } = await import('../apply/plan.js');
      done(await plan(readApplyOptions(paths, flags), flags.json === true ? 'json' : 'text', io));
    });
};
