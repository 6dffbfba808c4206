import { spawn } from 'node:child_process';
import type { CliIo } from '../command.js';

/** The program that opens an address, for each platform that has no `xdg-open`. */
const openers: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  win32: 'explorer',
};

/**
 * Opens an address in the default browser. If none can be started, the user still has the printed
 * address.
 */
export function openBrowser(address: string, { env, stderr }: CliIo): void {
  // an empty variable counts as unset
  const program = env['BROWSER'] || (openers[process.platform] ?? 'xdg-open');
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  child.once('error', (error) =>
    stderr.write(
      `no browser could be opened (${program}: ${error.message}): open the address yourself\n`,
    ),
  );
  child.unref();
}
