import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  initBackend,
  needsNoInstallation,
  overriddenProviders,
  cliConfigurationFile,
} from '../../../stacks/terraform/dev-overrides.js';

function folderWith(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-overrides-'));
  writeFileSync(join(folder, name), text);
  return folder;
}

const settings = `
# dev_overrides { "hashicorp/random" = "/nowhere" }
provider_installation {
  dev_overrides {
    "hashicorp/azurerm" = "/home/me/azurerm" // mine
    "registry.terraform.io/Azure/azapi" = "/home/me/#1"
    "registry.example/us/ours" = "/x"
  }
  direct {}
}`;

test('the providers of dev_overrides are found in a file of settings', () => {
  const home = folderWith('.terraformrc', settings);
  expect([...overriddenProviders(join(home, '.terraformrc'))]).toEqual([
    'registry.terraform.io/hashicorp/azurerm',
    'registry.terraform.io/azure/azapi',
    'registry.example/us/ours',
  ]);
  expect([...overriddenProviders('/nowhere/.terraformrc')]).toEqual([]);
  const direct = folderWith('.terraformrc', 'provider_installation {\n  direct {}\n}');
  expect([...overriddenProviders(join(direct, '.terraformrc'))]).toEqual([]);
});

/** A program that prints the version of an engine. */
function engineCalled(title: 'Terraform' | 'OpenTofu'): string {
  const program = join(folderWith('engine', `#!/bin/sh\necho ${title} v1.11.4\n`), 'engine');
  chmodSync(program, 0o755);
  return program;
}

test('settings are found where the engine looks for them', async () => {
  const [terraform, tofu] = [engineCalled('Terraform'), engineCalled('OpenTofu')];
  const HOME = folderWith('.terraformrc', '');
  const XDG_CONFIG_HOME = mkdtempSync(join(tmpdir(), 'castellan-overrides-'));
  mkdirSync(join(XDG_CONFIG_HOME, 'opentofu'));
  writeFileSync(join(XDG_CONFIG_HOME, 'opentofu/tofurc'), '');
  const named = { HOME, TF_CLI_CONFIG_FILE: '/x.tfrc', TERRAFORM_CONFIG: '/y.tfrc' };
  expect(await cliConfigurationFile(tofu, named)).toBe('/x.tfrc');
  // both engines take an empty variable for one that is not set
  expect(await cliConfigurationFile(tofu, { ...named, TF_CLI_CONFIG_FILE: '' })).toBe('/y.tfrc');
  for (const engine of [terraform, tofu])
    expect(await cliConfigurationFile(engine, { HOME, XDG_CONFIG_HOME })).toBe(
      join(HOME, '.terraformrc'),
    );
  const withoutFile = { HOME: '/nowhere', XDG_CONFIG_HOME };
  expect(await cliConfigurationFile(terraform, withoutFile)).toBe('/nowhere/.terraformrc');
  expect(await cliConfigurationFile(tofu, withoutFile)).toBe(
    join(XDG_CONFIG_HOME, 'opentofu/tofurc'),
  );
  writeFileSync(join(HOME, '.tofurc'), '');
  expect(await cliConfigurationFile(terraform, { HOME })).toBe(join(HOME, '.terraformrc'));
  expect(await cliConfigurationFile(tofu, { HOME })).toBe(join(HOME, '.tofurc'));
});

test.each<[string, object, boolean]>([
  [
    'all providers overridden',
    {
      terraform: {
        required_providers: { azurerm: { source: 'azurerm' }, azapi: { source: 'Azure/azapi' } },
      },
    },
    true,
  ],
  [
    'one of them not',
    {
      terraform: {
        required_providers: { azurerm: { source: 'azurerm' }, azuread: { source: 'azuread' } },
      },
    },
    false,
  ],
  [
    'a module besides',
    {
      terraform: { required_providers: { azurerm: { source: 'azurerm' } } },
      module: { m: { source: './m' } },
    },
    false,
  ],
  ['no providers', { terraform: {} }, false],
])(
  'nothing is installed only if every provider is overridden: %s',
  (_, configuration, needsNothing) => {
    const file = join(folderWith('.terraformrc', settings), '.terraformrc');
    expect(
      needsNoInstallation(folderWith('cdk.tf.json', JSON.stringify(configuration)), file),
    ).toBe(needsNothing);
  },
);

test.each([
  ['backend', { backend: { local: { path: 'x' } } }],
  ['cloud', { cloud: { organization: 'us', workspaces: { name: 'x' } } }],
])('the %s of a stack is initialized in a folder without providers', async (_, terraform) => {
  const directory = folderWith(
    'cdk.tf.json',
    JSON.stringify({ terraform: { ...terraform, required_providers: { a: { source: 'a' } } } }),
  );
  const initialized: unknown[] = [];
  await initBackend(directory, {}, (folder) => {
    initialized.push(JSON.parse(readFileSync(join(folder, 'cdk.tf.json'), 'utf8')));
    return Promise.resolve();
  });
  expect(initialized).toEqual([{ terraform }]);
});
