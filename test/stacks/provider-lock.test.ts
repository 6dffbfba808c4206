import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockRunningProviders } from '../../stacks/provider-lock.js';

const requiredProviders = {
  azurerm: { source: 'azurerm', version: '>= 4.55.0, < 6.0.0' },
  azapi: { source: 'azure/azapi', version: '~> 2.12' },
};

function stackFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-lock-'));
  writeFileSync(
    join(folder, 'cdk.tf.json'),
    JSON.stringify({ terraform: { required_providers: requiredProviders } }),
  );
  return folder;
}

describe('lockRunningProviders', () => {
  it('lists every provider in full, so that no registry is asked for a provider', () => {
    const folder = stackFolder();
    lockRunningProviders(folder);
    const text = readFileSync(join(folder, '.terraform.lock.hcl'), 'utf8');
    expect(text).toBe(
      'provider "registry.terraform.io/azure/azapi" {\n  version     = "2.12.0"\n  constraints = "~> 2.12"\n}\n\n' +
        'provider "registry.terraform.io/hashicorp/azurerm" {\n  version     = "4.55.0"\n  constraints = ">= 4.55.0, < 6.0.0"\n}\n',
    );
    lockRunningProviders(folder);
    expect(readFileSync(join(folder, '.terraform.lock.hcl'), 'utf8')).toBe(text);
  });

  it('does not change a file that locks downloaded providers', () => {
    const folder = stackFolder();
    const lockFile = 'provider "registry.terraform.io/azure/azapi" {\n  hashes = ["h1:x"]\n}\n';
    writeFileSync(join(folder, '.terraform.lock.hcl'), lockFile);
    lockRunningProviders(folder);
    expect(readFileSync(join(folder, '.terraform.lock.hcl'), 'utf8')).toBe(lockFile);
  });
});
