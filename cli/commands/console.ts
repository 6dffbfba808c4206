import { resolve } from 'node:path';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { openBrowser } from '../sandbox/browser.js';

interface ConsoleFlags extends FormatFlags {
  /** The folder of the sandbox. @default the current folder */
  readonly project?: string;
  readonly environment?: string;
  readonly open?: boolean;
}

/**
 * `castellan console`: prints the address of the sandbox's console, and opens it in a browser on
 * request.
 */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('console'))
    .description(
      'Show the running sandbox in a browser: stacks, apps, groups, items, findings and every API call.',
    )
    .option('--project <folder>', 'the folder of the sandbox (default: the current folder)')
    .option(
      '-e, --environment <name>',
      'the environment whose sandbox it is (default: the one without an overlay)',
    )
    .option('--open', 'open it in the default browser')
    .action(async (flags: ConsoleFlags) => {
      const format = formatOf(flags);
      const { sandboxConsoleUrl } = await import('../../sandbox/index.js');
      const url = sandboxConsoleUrl(resolve(io.cwd, flags.project ?? '.'), flags.environment);
      printResult(format, { url }, `${url}\n`, io);
      if (flags.open === true) openBrowser(url, io);
      done(0);
    });
};
