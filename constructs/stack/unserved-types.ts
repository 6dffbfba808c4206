import { unservedTypeAdvice } from '../../core/sandbox/unserved-type.js';
import { servedTypes } from '../generated/served-types.js';
import {
  Annotations,
  TerraformDataSource,
  TerraformResource,
  type TerraformStack,
} from '../internal/cdktf.js';
import { nodesInStack } from '../internal/stack-nodes.js';

/**
 * Warns of resources and data sources whose types the sandbox's own providers lack. Terraform
 * refuses them itself, without asking a provider, so the error does not say what to do.
 */
export function warnOfUnservedTypes(stack: TerraformStack): void {
  if (process.env['TF_REATTACH_PROVIDERS']?.includes('castellan/castellan') !== true) return;
  for (const element of nodesInStack(stack)) {
    const isData = TerraformDataSource.isTerraformDataSource(element);
    if (!isData && !TerraformResource.isTerraformResource(element)) continue;
    const { terraformResourceType: type } = element;
    if (!typesOfServedProviders.test(type) || servedTypes.has(isData ? `data.${type}` : type))
      continue;
    Annotations.of(element).addWarning(unservedTypeAdvice(type, remedy));
  }
}

const typesOfServedProviders = /^(?:azurerm|azuread|azapi|fabric|castellan)_/;
const remedy = 'use those of `castellan sandbox env --providers official`';
