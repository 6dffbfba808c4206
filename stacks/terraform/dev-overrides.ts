import type { EnvironmentVariables } from '../../core/process/environment-variables.js';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fullProviderAddress } from '../provider-lock.js';
import { detectEngine } from './find-terraform.js';

/**
 * The CLI configuration file of an engine, which may be missing: `TF_CLI_CONFIG_FILE`, else
 * `TERRAFORM_CONFIG`, else `.terraformrc` in the home folder. OpenTofu prefers its own `.tofurc`
 * there, and reads `opentofu/tofurc` in `XDG_CONFIG_HOME` if there is neither.
 *
 * @param program the program of the engine.
 * @param env the environment of the engine.
 */
export async function cliConfigurationFile(
  program: string,
  env: EnvironmentVariables,
): Promise<string> {
  const namedFile = env['TF_CLI_CONFIG_FILE'] || env['TERRAFORM_CONFIG'];
  if (namedFile) return namedFile;
  const home = env['HOME'] || homedir();
  const terraformFile = join(home, '.terraformrc');
  const tofuFile = [
    join(home, '.tofurc'),
    terraformFile,
    ...(env['XDG_CONFIG_HOME'] ? [join(env['XDG_CONFIG_HOME'], 'opentofu/tofurc')] : []),
  ].find((file) => existsSync(file));
  if (tofuFile === undefined || tofuFile === terraformFile) return terraformFile;
  return (await detectEngine(program)).name === 'tofu' ? tofuFile : terraformFile;
}

/**
 * The providers that a CLI configuration file loads from a folder (`dev_overrides`), by their full
 * address. The engine need not `init` them and cannot: it would look for them in a registry.
 */
export function overriddenProviders(file: string): ReadonlySet<string> {
  if (!existsSync(file)) return new Set();
  // removes comments, but not what looks like a comment inside quotes
  const text = readFileSync(file, 'utf8').replace(
    /("(?:[^"\\]|\\.)*")|#.*$|\/\/.*$|\/\*[\s\S]*?\*\//gm,
    (_, quoted: string | undefined) => quoted ?? '',
  );
  const block = /\bdev_overrides\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
  return new Set(
    [...block.matchAll(/"([^"]+)"\s*=/g)].map(([, source = '']) =>
      fullProviderAddress(source.toLowerCase()),
    ),
  );
}

/** The parts of a stack's configuration that decide how it is initialized. */
interface Configuration {
  readonly terraform?: {
    readonly required_providers?: Readonly<Record<string, { readonly source: string }>>;
    readonly backend?: unknown;
    readonly cloud?: unknown;
  };
  readonly module?: unknown;
}

/**
 * Whether a stack needs no installation: all of its providers are loaded from folders, and it has
 * no modules.
 *
 * @param configurationFile the CLI configuration file.
 */
export function needsNoInstallation(directory: string, configurationFile: string): boolean {
  const overriddenSources = overriddenProviders(configurationFile);
  if (overriddenSources.size === 0) return false;
  const { terraform, module } = readConfiguration(directory);
  const sources = Object.values(terraform?.required_providers ?? {}).map(({ source }) =>
    fullProviderAddress(source.toLowerCase()),
  );
  return (
    module === undefined &&
    sources.length > 0 &&
    sources.every((source) => overriddenSources.has(source))
  );
}

/**
 * Runs `terraform init` only for a stack's backend (or `cloud`), in a folder without providers; that
 * is enough when all providers are loaded from folders.
 *
 * @param init runs `terraform init` in a folder with additional environment variables.
 */
export async function initBackend(
  directory: string,
  env: EnvironmentVariables,
  init: (directory: string, env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const { terraform } = readConfiguration(directory);
  const { backend, cloud } = terraform ?? {};
  if (backend === undefined && cloud === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-backend-'));
  try {
    writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify({ terraform: { backend, cloud } }));
    await init(folder, { TF_DATA_DIR: resolve(directory, env['TF_DATA_DIR'] || '.terraform') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readConfiguration(directory: string): Configuration {
  return JSON.parse(readFileSync(join(directory, 'cdk.tf.json'), 'utf8')) as Configuration;
}
