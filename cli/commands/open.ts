import { spawn } from 'node:child_process';
import { environmentInShort, environmentOf, environmentOption } from '../apply/options.js';
import type { CliIo, RegisterCommand } from '../command.js';

interface OpenFlags {
  readonly person?: string;
  readonly print?: boolean;
  readonly environment?: string;
  readonly env?: string;
}

/** `castellan open [APP]`: opens an app of the sandbox in the browser. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('open')
    .description('Open an app of the sandbox in the browser, and print its address.')
    .argument('[app]', 'the name of the app (default: the only one)')
    .option('--person <name>', 'sign in as a person of the directory, such as ada@contoso.example')
    .option('--print', 'only print the address')
    .option(...environmentOption)
    .addOption(environmentInShort())
    .action(async (app: string | undefined, flags: OpenFlags) => {
      const { appAddress, signInLink } = await import('../sandbox/app-address.js');
      const { url } = await appAddress(app, environmentOf(flags).environment, io);
      const address = flags.person === undefined ? url : signInLink(url, flags.person);
      io.stdout.write(`${address}\n`);
      if (flags.print !== true) openBrowser(address, io);
      done(0);
    });
};

const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' };

/** Where no browser can be started, the printed address is what there is. */
function openBrowser(address: string, { env, stderr }: CliIo): void {
  const program = env['BROWSER'] ?? openers[process.platform] ?? 'xdg-open';
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.once('error', (error) => stderr.write(`no browser could be opened (${program}: ${error.message}): open the address yourself\n`));
  child.unref();
}
