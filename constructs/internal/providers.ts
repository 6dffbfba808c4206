import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { AzapiProvider } from './azapi.js';
import {
  Aspects,
  type Construct,
  type IConstruct,
  TerraformProvider,
  TerraformStack,
} from './cdktf.js';
import { cloudSettings, type CloudSettings } from './cloud-settings.js';
import { providerVersions } from './provider-versions.js';
import { CastellanProvider, FabricProvider } from './unbound-resource.js';

/** The providers that constructs need. */
export type ProviderName = 'azurerm' | 'azuread' | 'azapi' | 'fabric' | 'castellan';

const create: Readonly<
  Record<ProviderName, (stack: TerraformStack, settings: CloudSettings) => TerraformProvider>
> = {
  azurerm: (stack, { tenantId, subscriptionId }) =>
    new AzurermProvider(stack, 'azurerm', { features: [{}], tenantId, subscriptionId }),
  azuread: (stack, { tenantId }) => new AzureadProvider(stack, 'azuread', { tenantId }),
  azapi: (stack, { tenantId, subscriptionId }) =>
    // the service must also lose a sign-in provider that is removed from the configuration: see
    // AzapiProviderConfig.ignoreNoOpChanges
    new AzapiProvider(stack, 'azapi', { tenantId, subscriptionId, ignoreNoOpChanges: false }),
  fabric: (stack, { tenantId }) => new FabricProvider(stack, 'fabric', { tenantId }),
  castellan: (stack, { tenantId }) => new CastellanProvider(stack, 'castellan', { tenantId }),
};

const requirements = new WeakMap<TerraformStack, Set<ProviderName>>();

/**
 * Requires a provider for a construct. If the stack declares that provider, its settings apply;
 * otherwise it is declared when the stack is synthesized, so that the order of declarations does
 * not matter.
 */
export function requireProvider(scope: Construct, ...names: readonly ProviderName[]): void {
  const stack = TerraformStack.of(scope);
  const known = requirements.get(stack);
  for (const name of names) known?.add(name);
  if (known !== undefined) return;
  requirements.set(stack, new Set(names));
  Aspects.of(stack).add({
    visit: (node: IConstruct) => {
      if (node === stack) declareMissing(stack);
    },
  });
}

function declareMissing(stack: TerraformStack): void {
  const declared = new Set(
    stack.node
      .findAll()
      .filter((node) => TerraformProvider.isTerraformProvider(node))
      .map(({ terraformResourceType }) => terraformResourceType),
  );
  for (const name of [...(requirements.get(stack) ?? [])].sort()) {
    if (!declared.has(name)) create[name](stack, cloudSettings(stack));
    // The bindings from npm would pin their own version.
    if (name === 'azurerm' || name === 'azuread')
      stack.addOverride(`terraform.required_providers.${name}.version`, providerVersions[name]);
  }
}
