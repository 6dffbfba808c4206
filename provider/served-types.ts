import { CastellanError } from '../core/errors/castellan-error.js';
import { nearest } from '../core/text/nearest.js';
import { providerAddresses, type ProviderName } from './addresses.js';
import { loadProvider } from './providers.js';

/** What one provider of the sandbox serves. */
export interface ServedTypes {
  readonly provider: ProviderName;
  /** `registry.terraform.io/hashicorp/azurerm`. */
  readonly address: string;
  readonly resources: readonly string[];
  readonly dataSources: readonly string[];
}

/**
 * The types that Castellan's providers serve, by provider.
 *
 * @param only one of them. @default all
 * @throws CAS3001 for a provider that isn't served.
 */
export async function servedTypes(only?: string): Promise<readonly ServedTypes[]> {
  const names = Object.keys(providerAddresses) as ProviderName[];
  if (only !== undefined && !names.some((name) => name === only)) {
    const suggestion = nearest(only, names);
    const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    throw new CastellanError('CAS3001', `provider ${only} is not served: allowed are ${names.join(', ')}${hint}`);
  }
  const refuse = (): never => {
    throw new Error('types are listed without a connection');
  };
  return Promise.all(
    names
      .filter((name) => only === undefined || name === only)
      .map(async (provider) => {
        const { schema } = await loadProvider(provider, refuse);
        const [resources, dataSources] = [schema.resources, schema.dataSources].map((types) => Object.keys(types).sort());
        return { provider, address: schema.address, resources: resources ?? [], dataSources: dataSources ?? [] };
      }),
  );
}
