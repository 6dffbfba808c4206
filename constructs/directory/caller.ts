import { DataAzureadClientConfig } from '@cdktf/provider-azuread/lib/data-azuread-client-config';
import type { Construct } from '../internal/cdktf.js';
import { TerraformStack } from '../internal/cdktf.js';
import { requireProvider } from '../internal/providers.js';

const id = 'caller';

/** The account that applies the stack, as the directory knows them: one data source a stack, which asks the service nothing. */
export function caller(scope: Construct): DataAzureadClientConfig {
  const stack = TerraformStack.of(scope);
  const existing = stack.node.tryFindChild(id);
  if (existing instanceof DataAzureadClientConfig) return existing;
  requireProvider(scope, 'azuread');
  return new DataAzureadClientConfig(stack, id);
}
