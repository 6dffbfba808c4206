import type { Command } from 'commander';
import type { RegisterCommand } from '../command.js';

/** `castellan provider install|path|uninstall`: the plugin castellan/castellan for plain terraform against the cloud. */
export const register: RegisterCommand = (program, io, done) => {
  const provider = program
    .command('provider')
    .description('Install the Terraform provider castellan/castellan as a plugin that terraform launches.');
  const withDir = (command: Command): Command =>
    command.option('--plugin-dir <dir>', "terraform's plugin folder (default: ~/.terraform.d/plugins)");

  withDir(provider.command('install').description('Put the plugin into the plugin folder.')).action(
    async (flags: { pluginDir?: string }) => {
      const { installPlugin } = await import('../../provider/install.js');
      const path = await installPlugin(flags);
      io.stdout.write(`${path}\n`);
      io.stderr.write('Installed. `terraform init` finds it by source = "castellan/castellan".\n');
      done(0);
    },
  );
  withDir(provider.command('path').description('Print where the plugin is, or would be.')).action(async (flags: { pluginDir?: string }) => {
    const { pluginPath } = await import('../../provider/install.js');
    io.stdout.write(`${pluginPath(flags)}\n`);
    done(0);
  });
  withDir(provider.command('uninstall').description('Take the plugin away again.')).action(async (flags: { pluginDir?: string }) => {
    const { pluginPath, uninstallPlugin } = await import('../../provider/install.js');
    const removed = await uninstallPlugin(flags);
    io.stderr.write(removed ? `Removed ${pluginPath(flags)}\n` : `Nothing to remove: ${pluginPath(flags)} is not there.\n`);
    done(0);
  });
};
