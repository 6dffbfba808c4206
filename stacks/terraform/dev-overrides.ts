import type { EnvironmentVariables } from '../../core/process/environment-variables.js';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fullAddress } from '../provider-lock.js';

/**
 * The providers that the user's Terraform settings load from a folder (`dev_overrides`), by their
 * full address. Terraform need not `init` them and cannot: it would look for them in a registry.
 *
 * @param env the environment of Terraform: `TF_CLI_CONFIG_FILE`, otherwise `.terraformrc` in the
 *   home folder.
 */
export function overriddenProviders(env: EnvironmentVariables): ReadonlySet<string> {
  const file =
    env['TF_CLI_CONFIG_FILE'] ||
    env['TERRAFORM_CONFIG'] ||
    join(env['HOME'] || homedir(), '.terraformrc');
  if (!existsSync(file)) return new Set();
  // removes comments, but not what looks like a comment inside quotes
  const text = readFileSync(file, 'utf8').replace(
    /("(?:[^"\\]|\\.)*")|#.*$|\/\/.*$|\/\*[\s\S]*?\*\//gm,
    (_, quoted: string | undefined) => quoted ?? '',
  );
  const block = /\bdev_overrides\s*\{([^}]*)\}/.exec(text)?.[1] ?? '';
  return new Set(
    [...block.matchAll(/"([^"]+)"\s*=/g)].map(([, source = '']) =>
      fullAddress(source.toLowerCase()),
    ),
  );
}

/** The parts of a stack's configuration that decide how it is initialized. */
interface Configuration {
  readonly terraform?: {
    readonly required_providers?: Readonly<Record<string, { readonly source: string }>>;
    readonly backend?: unknown;
  };
  readonly module?: unknown;
}

/**
 * Whether a stack needs no installation: all of its providers are loaded from folders, and it has
 * no modules.
 */
export function needsNoInit(directory: string, env: EnvironmentVariables): boolean {
  const overriddenSources = overriddenProviders(env);
  if (overriddenSources.size === 0) return false;
  const { terraform, module } = readConfiguration(directory);
  const sources = Object.values(terraform?.required_providers ?? {}).map(({ source }) =>
    fullAddress(source.toLowerCase()),
  );
  return (
    module === undefined &&
    sources.length > 0 &&
    sources.every((source) => overriddenSources.has(source))
  );
}

/**
 * Runs `terraform init` only for a stack's backend, in a folder without providers; that is enough
 * when all providers are loaded from folders.
 *
 * @param init runs `terraform init` in a folder with additional environment variables.
 */
export async function initBackend(
  directory: string,
  env: EnvironmentVariables,
  init: (directory: string, env: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const { terraform } = readConfiguration(directory);
  if (terraform?.backend === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'castellan-backend-'));
  try {
    writeFileSync(
      join(folder, 'cdk.tf.json'),
      JSON.stringify({ terraform: { backend: terraform.backend } }),
    );
    await init(folder, { TF_DATA_DIR: resolve(directory, env['TF_DATA_DIR'] || '.terraform') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readConfiguration(directory: string): Configuration {
  return JSON.parse(readFileSync(join(directory, 'cdk.tf.json'), 'utf8')) as Configuration;
}
