import { existsSync } from 'node:fs';
import { chmod, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { arch, homedir, platform } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { makeFolder } from '../core/source/make-folder.js';
import packageJson from '../package.json';
import { providerAddresses } from './providers.js';

/** Where to install the plugin, and which program it runs. */
export interface InstallOptions {
  /** @default the user's own plugin folder, `~/.terraform.d/plugins` */
  readonly pluginDir?: string;
  /** The bundled plugin.js. @default that of this package */
  readonly program?: string;
}

/** The version under which the plugin is installed: this package's own. */
export const pluginVersion: string = packageJson.version;

/**
 * The path at which Terraform finds the plugin:
 * `<plugins>/registry.terraform.io/castellan/castellan/<version>/<os>_<arch>/terraform-provider-castellan_v<version>`.
 *
 * @throws CAS3007 on systems where Terraform cannot start a script.
 */
export function pluginPath(options: InstallOptions = {}): string {
  return join(
    pluginFolder(options),
    ...providerAddresses.castellan.split('/'),
    pluginVersion,
    platformName(),
    `terraform-provider-castellan_v${pluginVersion}`,
  );
}

/**
 * The paths for Terraform and for OpenTofu, which reads the same folder and completes addresses with
 * the host of its own registry.
 */
function pluginPaths(options: InstallOptions): readonly string[] {
  const path = pluginPath(options);
  const [host = ''] = providerAddresses.castellan.split('/');
  const folder = pluginFolder(options);
  const openTofu = path.slice(folder.length).replace(host, 'registry.opentofu.org');
  return [path, `${folder}${openTofu}`];
}

/** The bundled plugin.ts: beside this file, as that is bundled with it, or in the folder `cli`. */
function defaultProgram(): string {
  const besideThisFile = join(__dirname, 'plugin.js');
  return existsSync(besideThisFile) ? besideThisFile : join(__dirname, '../cli/plugin.js');
}

/**
 * Writes the plugin, for Terraform and for OpenTofu: a small script that runs the provider of this
 * installation. Replaces one of the same version.
 *
 * @returns its path for Terraform.
 */
export async function installPlugin(options: InstallOptions = {}): Promise<string> {
  const path = pluginPath(options);
  const program = options.program ?? defaultProgram();
  if (!(await exists(program)))
    throw new CastellanError(
      'CAS3007',
      `${program} is not there: build castellan first (npm run build)`,
    );
  for (const each of pluginPaths(options)) {
    makeFolder(dirname(each));
    await writeFile(each, `#!/usr/bin/env node\nrequire(${JSON.stringify(program)}).main();\n`);
    await chmod(each, 0o755);
  }
  return path;
}

/** Removes the plugin, with folders that contain nothing else; false if there was none. */
export async function uninstallPlugin(options: InstallOptions = {}): Promise<boolean> {
  const removed: boolean[] = [];
  for (const path of pluginPaths(options)) removed.push(await removePlugin(path, options));
  return removed.includes(true);
}

async function removePlugin(path: string, options: InstallOptions): Promise<boolean> {
  if (!(await exists(path))) return false;
  await rm(dirname(path), { recursive: true });
  const top = pluginFolder(options);
  for (
    let folder = dirname(dirname(path));
    folder !== top && (await readdir(folder)).length === 0;
    folder = dirname(folder)
  )
    await rmdir(folder);
  return true;
}

/** The user's plugin folder of Terraform. */
function pluginFolder({ pluginDir }: InstallOptions): string {
  return resolve(pluginDir ?? join(homedir(), '.terraform.d', 'plugins'));
}

/** The platform in Terraform's spelling. */
function platformName(): string {
  const system = platform();
  if (system === 'win32')
    throw new CastellanError(
      'CAS3007',
      'Terraform on Windows starts programs (.exe) only; run it in WSL to use this plugin',
    );
  const names: Readonly<Record<string, string>> = {
    x64: 'amd64',
    arm64: 'arm64',
    ia32: '386',
    arm: 'arm',
  };
  return `${system}_${names[arch()] ?? arch()}`;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
