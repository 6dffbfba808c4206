import type { RegisterCommand } from '../command.js';

/** `castellan lsp`: a language server on standard input and output. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('lsp')
    .description('Serve an editor over the Language Server Protocol, on standard input and output.')
    .option('--stdio', 'the only transport, which editors pass')
    .action(async () => {
      const { serve } = await import('../lsp/server.js');
      await serve(io.env);
      done(0);
    });
};
