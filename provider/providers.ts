import type { Api } from './handlers/handler.js';
import type { ProviderName } from './addresses.js';
import type { Provider } from './server/provider.js';
import type { ValueMap } from './values/value.js';

type Loaded = readonly [Pick<Provider, 'schema'>, Pick<Provider, 'resources' | 'dataSources' | 'functions'>];

/** Loads one provider's schemas and handlers; the others' files are not touched, which counts when Terraform starts the process. */
const loaders: Readonly<Record<ProviderName, () => Promise<Loaded>>> = {
  azurerm: () => Promise.all([import('./schemas/azurerm/index.js'), import('./handlers/azurerm/index.js')]),
  azuread: () => Promise.all([import('./schemas/azuread/index.js'), import('./handlers/azuread/index.js')]),
  azapi: () => Promise.all([import('./schemas/azapi/index.js'), import('./handlers/azapi/index.js')]),
  fabric: () => Promise.all([import('./schemas/fabric/index.js'), import('./handlers/fabric/index.js')]),
  castellan: () => Promise.all([import('./schemas/castellan/index.js'), import('./handlers/castellan/index.js')]),
};

/** One provider with how it reaches the services. */
export async function loadProvider(name: ProviderName, connect: (config: ValueMap) => Promise<Api> | Api): Promise<Provider> {
  const [{ schema }, handlers] = await loaders[name]();
  return { schema, ...handlers, connect };
}
