import { resolve } from 'node:path';
import type { RegisterCommand } from '../command.js';

/** `castellan console`: prints the address of the sandbox's console, and opens it in a browser when asked. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('console')
    .description('Look at the running sandbox in a browser: stacks, apps, groups, items, findings and every API call.')
    .option('--project <folder>', 'whose sandbox (default: the current folder)')
    .option('-e, --environment <name>', 'the environment whose sandbox it is (default: the one without an overlay)')
    .option('--open', 'open it in the default browser')
    .action(async (options: { project?: string; environment?: string; open?: boolean }) => {
      const { sandboxConsole } = await import('../../sandbox/index.js');
      const url = sandboxConsole(resolve(io.cwd, options.project ?? '.'), options.environment);
      io.stdout.write(`${url}\n`);
      if (options.open === true) await openInBrowser(url);
      done(0);
    });
};

async function openInBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const programs: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };
  const opener = spawn(programs[process.platform] ?? 'xdg-open', [url], { stdio: 'ignore', detached: true });
  await new Promise<void>((started, failed) => {
    opener.once('spawn', started);
    opener.once('error', (cause) => failed(new Error(`no browser can be opened here (${cause.message}): open the address by hand`)));
  });
  opener.unref();
}
