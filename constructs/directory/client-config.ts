import { DataAzureadClientConfig } from '@cdktf/provider-azuread/lib/data-azuread-client-config';
import { type Construct, type TerraformProvider, TerraformStack } from '../internal/cdktf.js';
import { getOrCreateChild } from '../internal/own-child.js';
import { requireProviders } from '../internal/providers.js';

const defaultId = 'caller';

/**
 * The tenant and the account that apply the stack: one data source for each provider of a stack. It
 * sends no request.
 *
 * @param provider the provider whose account is meant. @default the stack's own
 */
export function currentClientConfig(
  scope: Construct,
  provider?: TerraformProvider,
): DataAzureadClientConfig {
  const stack = TerraformStack.of(scope);
  const { alias } = (provider ?? {}) as { readonly alias?: string };
  const dataSourceId = alias === undefined ? defaultId : `${defaultId}-${alias}`;
  requireProviders(scope, { azuread: provider });
  return getOrCreateChild(
    stack,
    dataSourceId,
    (each) => each instanceof DataAzureadClientConfig,
    (id) => new DataAzureadClientConfig(stack, id, provider === undefined ? {} : { provider }),
  );
}
