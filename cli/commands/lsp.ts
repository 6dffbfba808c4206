import type { RegisterCommand } from '../command.js';

/** `castellan lsp`: a language server on standard input and output. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('lsp')
    .description('Serve an editor over the Language Server Protocol, on standard input and output.')
    .option('--stdio', 'the only transport, which editors pass')
    .action(async () => {
      const { createConnection, ProposedFeatures } = await import('vscode-languageserver/node.js');
      const { serve } = await import('../lsp/server.js');
      const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
      const exit = new Promise<void>((finish) => connection.onExit(finish));
      serve(connection, io.env);
      await exit;
      done(0);
    });
};
