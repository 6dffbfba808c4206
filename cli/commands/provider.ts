import type { Command } from 'commander';
import type { ServedTypes } from '../../provider/providers.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';

interface PluginFlags extends FormatFlags {
  readonly pluginDir?: string;
}

/** The types of a provider, as text. */
function describeTypes({ address, resources, dataSources }: ServedTypes): string {
  const list = (title: string, names: readonly string[]): string =>
    names.length === 0 ? '' : `  ${title}\n${names.map((each) => `    ${each}\n`).join('')}`;
  return `${address}\n${list('resources', resources)}${list('data sources', dataSources)}`;
}

/**
 * `castellan provider install|path|types|uninstall`: lists what Castellan's providers support, and
 * installs the plugin castellan/castellan for plain terraform with the cloud.
 */
export const register: RegisterCommand = (program, io, done) => {
  const provider = program
    .command('provider')
    .description(
      'Install the Terraform provider castellan/castellan as a plugin that terraform launches.',
    );
  const addPluginDir = (command: Command): Command =>
    addFormat(command).option(
      '--plugin-dir <dir>',
      "terraform's plugin folder (default: ~/.terraform.d/plugins)",
    );

  addPluginDir(
    provider.command('install').description('Write the plugin into the plugin folder.'),
  ).action(async (flags: PluginFlags) => {
    const format = formatOf(flags);
    const { installPlugin } = await import('../../provider/plugin-installation.js');
    const path = await installPlugin(flags);
    printResult(format, { path }, `${path}\n`, io);
    printText(
      io.stderr,
      'Installed. `terraform init` finds it by source = "castellan/castellan".\n',
    );
    done(0);
  });
  addPluginDir(
    provider.command('path').description('Print where the plugin is, or would be.'),
  ).action(async (flags: PluginFlags) => {
    const format = formatOf(flags);
    const { pluginPath } = await import('../../provider/plugin-installation.js');
    const path = pluginPath(flags);
    printResult(format, { path }, `${path}\n`, io);
    done(0);
  });
  addFormat(
    provider
      .command('types [provider]')
      .description(
        "List the types that Castellan's own providers serve in the sandbox, of one provider or all.",
      ),
  ).action(async (name: string | undefined, flags: FormatFlags) => {
    const { servedTypes } = await import('../../provider/providers.js');
    const servedProviders = await servedTypes(name);
    io.stdout.write(
      formatOf(flags) === 'json'
        ? `${JSON.stringify(servedProviders)}\n`
        : servedProviders.map(describeTypes).join('\n'),
    );
    done(0);
  });
  addPluginDir(provider.command('uninstall').description('Remove the plugin.')).action(
    async (flags: PluginFlags) => {
      const format = formatOf(flags);
      const { pluginPath, uninstallPlugin } = await import('../../provider/plugin-installation.js');
      const removed = await uninstallPlugin(flags);
      printResult(format, { path: pluginPath(flags), removed }, '', io);
      printText(
        io.stderr,
        removed
          ? `Removed ${pluginPath(flags)}\n`
          : `Nothing to remove: ${pluginPath(flags)} does not exist.\n`,
      );
      done(0);
    },
  );
};
