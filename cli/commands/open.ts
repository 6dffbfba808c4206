import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { openBrowser } from '../sandbox/browser.js';

interface OpenFlags extends FormatFlags, EnvironmentFlags {
  /** Whom the address signs in; undefined for the app's plain address. */
  readonly person?: string;
  readonly print?: boolean;
}

/** `castellan open [APP]`: opens an app of the sandbox in the browser. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('open'))
    .description('Open an app of the sandbox in the browser, and print its address.')
    .argument('[app]', 'the name of the app (default: the only one)')
    .option('--person <name>', 'sign in as a person of the directory, such as ada@contoso.example')
    .option('--print', 'only print the address')
    .option(...environmentOption)
    .action(async (app: string | undefined, flags: OpenFlags) => {
      const { findReachableApp, signInLink } = await import('../sandbox/reachable-app.js');
      const format = formatOf(flags);
      const { environment } = withoutDefaultEnvironment(flags);
      const { name, url } = await findReachableApp(app, environment, io);
      const address = flags.person === undefined ? url : signInLink(url, flags.person);
      printResult(format, { app: name, url: address }, `${address}\n`, io);
      if (flags.print !== true) openBrowser(address, io);
      done(0);
    });
};
