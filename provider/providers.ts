import type { Api, Provider } from './handlers/handler.js';
import type { ValueMap } from './values/value.js';
import { CastellanError } from '../core/errors/castellan-error.js';
import { nearest } from '../core/text/nearest.js';

type LoadedProvider = readonly [
  Pick<Provider, 'schema'>,
  Pick<Provider, 'resources' | 'dataSources' | 'functions'>,
];

/**
 * Loads one provider's schemas and handlers only, which matters when Terraform starts the process.
 */
const loaders: Readonly<Record<ProviderName, () => Promise<LoadedProvider>>> = {
  azurerm: () =>
    Promise.all([import('./schemas/azurerm/index.js'), import('./handlers/azurerm/index.js')]),
  azuread: () =>
    Promise.all([import('./schemas/azuread/index.js'), import('./handlers/azuread/index.js')]),
  azapi: () =>
    Promise.all([import('./schemas/azapi/index.js'), import('./handlers/azapi/index.js')]),
  fabric: () =>
    Promise.all([import('./schemas/fabric/index.js'), import('./handlers/fabric/index.js')]),
  castellan: () =>
    Promise.all([import('./schemas/castellan/index.js'), import('./handlers/castellan/index.js')]),
};

/** A provider with its connection to the services. */
export async function loadProvider(
  name: ProviderName,
  connect: (config: ValueMap) => Promise<Api> | Api,
): Promise<Provider> {
  const [{ schema }, handlers] = await loaders[name]();
  return { schema, ...handlers, connect };
}

/**
 * The address of each provider that this package serves, by its short name: the keys of
 * `TF_REATTACH_PROVIDERS`.
 */
export const providerAddresses = {
  azurerm: 'registry.terraform.io/hashicorp/azurerm',
  azuread: 'registry.terraform.io/hashicorp/azuread',
  azapi: 'registry.terraform.io/azure/azapi',
  fabric: 'registry.terraform.io/microsoft/fabric',
  castellan: 'registry.terraform.io/castellan/castellan',
} as const;

/** The short name of a provider. */
export type ProviderName = keyof typeof providerAddresses;

/** The types of resources and data sources that one provider serves. */
export interface ServedTypes {
  readonly provider: ProviderName;
  /** `registry.terraform.io/hashicorp/azurerm`. */
  readonly address: string;
  readonly resources: readonly string[];
  readonly dataSources: readonly string[];
}

/**
 * The types that Castellan's providers support, by provider.
 *
 * @param only the short name of one provider; by default all.
 * @throws CAS3001 for an unknown provider.
 */
export async function servedTypes(only?: string): Promise<readonly ServedTypes[]> {
  const names = Object.keys(providerAddresses) as ProviderName[];
  if (only !== undefined && !names.some((name) => name === only)) {
    const suggestion = nearest(only, names);
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw new CastellanError(
      'CAS3001',
      `provider ${only} is not served: allowed are ${names.join(', ')}${hint}`,
    );
  }
  const noConnection = (): never => {
    throw new Error('types are listed without a connection');
  };
  return Promise.all(
    names
      .filter((name) => only === undefined || name === only)
      .map(async (provider) => {
        const { schema } = await loadProvider(provider, noConnection);
        return {
          provider,
          address: schema.address,
          resources: Object.keys(schema.resources).sort(),
          dataSources: Object.keys(schema.dataSources).sort(),
        };
      }),
  );
}
