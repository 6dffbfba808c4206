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
import { cloudSettings, type CloudSettingsProps } from './cloud-settings.js';
import { freeChildId } from './own-child.js';
import { providerVersions } from './provider-origins.js';
import { nodesInStack } from './stack-nodes.js';
import { CastellanProvider } from '../generated/lib/castellan/provider.js';
import { FabricProvider } from '../generated/lib/fabric/provider.js';

/** The providers that constructs need. */
export type ProviderName = 'azurerm' | 'azuread' | 'azapi' | 'fabric' | 'castellan';

const providerFactories: Readonly<
  Record<
    ProviderName,
    (stack: TerraformStack, id: string, settings: CloudSettingsProps) => TerraformProvider
  >
> = {
  azurerm: (stack, id, { tenantId, subscriptionId }) =>
    new AzurermProvider(stack, id, { features: [{}], tenantId, subscriptionId }),
  azuread: (stack, id, { tenantId }) => new AzureadProvider(stack, id, { tenantId }),
  azapi: (stack, id, { tenantId, subscriptionId }) =>
    // With no-op changes ignored, a sign-in provider removed from the configuration would stay in
    // the service.
    new AzapiProvider(stack, id, { tenantId, subscriptionId, ignoreNoOpChanges: false }),
  fabric: (stack, id, { tenantId }) => new FabricProvider(stack, id, { tenantId }),
  castellan: (stack, id, { tenantId }) => new CastellanProvider(stack, id, { tenantId }),
};

/** The providers that a stack needs, and whether a construct needs the one without an alias. */
type Requirements = Map<ProviderName, { needsDefault: boolean }>;

const requirements = new WeakMap<TerraformStack, Requirements>();

/** The providers that a construct needs; undefined for the default one, without an alias. */
export type RequiredProviders = { readonly [Name in ProviderName]?: TerraformProvider | undefined };

/**
 * Requires providers for a construct. If the program declares one in the stack, its settings apply;
 * otherwise one is declared when the stack is synthesized, so that the order of declarations does
 * not matter.
 */
export function requireProviders(scope: Construct, needed: RequiredProviders): void {
  const stack = TerraformStack.of(scope);
  const existing = requirements.get(stack);
  const required: Requirements = existing ?? new Map();
  for (const [name, provider] of Object.entries(needed) as [ProviderName, TerraformProvider?][])
    required.set(name, {
      needsDefault: (required.get(name)?.needsDefault ?? false) || provider === undefined,
    });
  if (existing !== undefined) return;
  requirements.set(stack, required);
  Aspects.of(stack).add({
    visit: (node: IConstruct) => {
      if (node === stack) declareProviders(stack);
    },
  });
}

/** Declares the providers that constructs need and the program has not, and sets versions. */
function declareProviders(stack: TerraformStack): void {
  const declared = new Set(
    nodesInStack(stack)
      .filter((node) => TerraformProvider.isTerraformProvider(node))
      .filter(({ alias }) => alias === undefined)
      .map(({ terraformResourceType }) => terraformResourceType),
  );
  const needed = [...(requirements.get(stack) ?? [])].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  for (const [name, { needsDefault }] of needed) {
    if (needsDefault && !declared.has(name))
      providerFactories[name](stack, freeChildId(stack, name), cloudSettings(stack));
    // the bindings from npm would pin the version that they were generated from
    if (name === 'azurerm' || name === 'azuread')
      stack.addOverride(`terraform.required_providers.${name}.version`, providerVersions[name]);
  }
}
