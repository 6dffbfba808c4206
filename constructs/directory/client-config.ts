import { DataAzureadClientConfig } from '@cdktf/provider-azuread/lib/data-azuread-client-config';
import { type Construct, type TerraformProvider, TerraformStack } from '../internal/cdktf.js';
import { requireProvider } from '../internal/providers.js';

const id = 'caller';

/**
 * The account that applies the stack: one data source for each provider of a stack, which sends no
 * request.
 *
 * @param provider the provider whose account is meant. @default the stack's own
 */
export function currentClientConfig(
  scope: Construct,
  provider?: TerraformProvider,
): DataAzureadClientConfig {
  const stack = TerraformStack.of(scope);
  const { alias } = (provider ?? {}) as { readonly alias?: string };
  const ownId = alias === undefined ? id : `${id}-${alias}`;
  const existing = stack.node.tryFindChild(ownId);
  if (existing instanceof DataAzureadClientConfig) return existing;
  requireProvider(scope, { azuread: provider });
  return new DataAzureadClientConfig(stack, ownId, provider === undefined ? {} : { provider });
}
