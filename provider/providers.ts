import type { Api } from './handlers/handler.js';
import type { ProviderName } from './addresses.js';
import type { Provider } from './server/provider.js';
import type { ValueMap } from './values/value.js';

type Connect = (config: ValueMap) => Promise<Api> | Api;

/** Loads one provider's schemas and handlers; the others' files are not touched, which counts when Terraform starts the process. */
const loaders: Readonly<Record<ProviderName, (connect: Connect) => Promise<Provider>>> = {
  async azurerm(connect) {
    const [{ azurermSchema }, { resources, dataSources }] = await Promise.all([
      import('./schemas/azurerm/index.js'),
      import('./handlers/azurerm/index.js'),
    ]);
    return { schema: azurermSchema, resources, dataSources, connect };
  },
  async azuread(connect) {
    const [{ azureadSchema }, { resources, dataSources }] = await Promise.all([
      import('./schemas/azuread/index.js'),
      import('./handlers/azuread/index.js'),
    ]);
    return { schema: azureadSchema, resources, dataSources, connect };
  },
  async azapi(connect) {
    const [{ azapiSchema }, { resources, dataSources }] = await Promise.all([
      import('./schemas/azapi/index.js'),
      import('./handlers/azapi/index.js'),
    ]);
    return { schema: azapiSchema, resources, dataSources, connect };
  },
  async fabric(connect) {
    const [{ fabricSchema }, { resources, dataSources, functions }] = await Promise.all([
      import('./schemas/fabric/index.js'),
      import('./handlers/fabric/index.js'),
    ]);
    return { schema: fabricSchema, resources, dataSources, functions, connect };
  },
  async castellan(connect) {
    const [{ castellanSchema }, { resources, dataSources }] = await Promise.all([
      import('./schemas/castellan/index.js'),
      import('./handlers/castellan/index.js'),
    ]);
    return { schema: castellanSchema, resources, dataSources, connect };
  },
};

/** One provider with how it reaches the services. */
export function loadProvider(name: ProviderName, connect: Connect): Promise<Provider> {
  return loaders[name](connect);
}
