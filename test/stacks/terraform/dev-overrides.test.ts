import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needsNoInit, overriddenProviders } from '../../../stacks/terraform/dev-overrides.js';

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

test('the providers of dev_overrides are found where Terraform looks for its settings', () => {
  const home = folderWith('.terraformrc', settings);
  const expectedProviders = [
    'registry.terraform.io/hashicorp/azurerm',
    'registry.terraform.io/azure/azapi',
    'registry.example/us/ours',
  ];
  expect([...overriddenProviders({ HOME: home })]).toEqual(expectedProviders);
  expect([
    ...overriddenProviders({ HOME: '/nowhere', TF_CLI_CONFIG_FILE: join(home, '.terraformrc') }),
  ]).toEqual(expectedProviders);
  expect([...overriddenProviders({ HOME: '/nowhere' })]).toEqual([]);
  // Terraform takes an empty variable for one that is not set
  expect([...overriddenProviders({ HOME: home, TF_CLI_CONFIG_FILE: '' })]).toEqual(
    expectedProviders,
  );
  expect([
    ...overriddenProviders({
      HOME: folderWith('.terraformrc', 'provider_installation {\n  direct {}\n}'),
    }),
  ]).toEqual([]);
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
  'init is needless only if every provider is overridden: %s',
  (_, configuration, needsNothing) => {
    const HOME = folderWith('.terraformrc', settings);
    expect(needsNoInit(folderWith('cdk.tf.json', JSON.stringify(configuration)), { HOME })).toBe(
      needsNothing,
    );
  },
);
