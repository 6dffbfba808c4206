import type { RegisterCommand } from '../command.js';

/** `castellan status`: what runs, and where. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('status')
    .description('Show the sandbox, the stacks applied to it and where their apps are.')
    .option('--json', 'print it as JSON')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const { status } = await import('../apply/status.js');
      done(await status(json === true ? 'json' : 'text', io));
    });
};
