import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const lockFile = '.terraform.lock.hcl';

/**
 * Writes Terraform's lock file for providers that are already running (`TF_REATTACH_PROVIDERS`).
 * They are never downloaded, but the cdktf command line asks the registry for checksums of every
 * provider that is missing in the file. A file that locks downloaded providers stays unchanged.
 *
 * @param directory the folder of a synthesized stack.
 */
export function lockRunningProviders(directory: string): void {
  const path = join(directory, lockFile);
  if (existsSync(path) && readFileSync(path, 'utf8').includes('hashes')) return;
  const { terraform } = JSON.parse(readFileSync(join(directory, 'cdk.tf.json'), 'utf8')) as {
    terraform?: {
      required_providers?: Readonly<Record<string, { source: string; version: string }>>;
    };
  };
  const entries = Object.values(terraform?.required_providers ?? {}).map(({ source, version }) => {
    return `provider "${fullProviderAddress(source)}" {\n  version     = "${lowestVersion(version)}"\n  constraints = "${version}"\n}\n`;
  });
  writeFileSync(path, entries.sort().join('\n'));
}

/** The lowest version of a range, in full: `2.12.0` for `~> 2.12`. */
function lowestVersion(range: string): string {
  const [, major = '0', minor = '0', patch = '0'] =
    /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range) ?? [];
  return `${major}.${minor}.${patch}`;
}

/** `azurerm` is `registry.terraform.io/hashicorp/azurerm`, as Terraform completes addresses. */
export function fullProviderAddress(source: string): string {
  const parts = source.split('/');
  return [...['registry.terraform.io', 'hashicorp'].slice(0, 3 - parts.length), ...parts].join('/');
}
