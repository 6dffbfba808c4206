import { DataAzurermResourceGroup } from '@cdktf/provider-azurerm/lib/data-azurerm-resource-group';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type Construct, type IConstruct, TerraformStack, Token } from '../internal/cdktf.js';
import {
  cloudSettings,
  type IResourceGroup,
  type ResourceGroupReference,
} from '../internal/cloud-settings.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { requireProvider } from '../internal/providers.js';
import { tagsOf } from './tags.js';

/** A resource group with its region. */
export type ResolvedResourceGroup = Required<IResourceGroup> & { readonly location: string };

/**
 * The resource group of a construct: its own, otherwise that of the stack. One that is given by a
 * name alone is created when the first construct needs it.
 *
 * @throws CAS2004 when a group is created and the stack has no location.
 */
export function resolveResourceGroup(
  scope: Construct,
  own?: ResourceGroupReference,
): ResolvedResourceGroup {
  const stack = TerraformStack.of(scope);
  const { namedAfter = stack.node.id, resourceGroup = `rg-${namedAfter}` } = cloudSettings(scope);
  const reference = own ?? resourceGroup;
  // a name that is known only at apply may be any token
  const given = Token.isUnresolved(reference) ? Token.asString(reference) : reference;
  if (typeof given === 'string')
    return created(scope, given, reference === resourceGroup ? stack.node.id : undefined);
  if ('existing' in given) return existing(scope, escapeInterpolation(given.existing));
  return 'resourceGroupName' in given
    ? existing(scope, given.resourceGroupName, given.location)
    : { resourceGroupName: given.name, location: given.location };
}

const creators = new WeakMap<IConstruct, Construct>();

/** The construct for which a resource group was created, if one was. */
export function resourceGroupCreator(group: IConstruct): Construct | undefined {
  return creators.get(group);
}

/** @param logicalId the name of the group in Terraform. @default one made of its name */
function created(
  scope: Construct,
  name: string,
  logicalId: string | undefined,
): ResolvedResourceGroup {
  const stack = TerraformStack.of(scope);
  const id = logicalId === undefined ? `resource-group-${idPart(stack, name)}` : 'resource-group';
  const known = stack.node.tryFindChild(id);
  if (known instanceof ResourceGroup) return placeIn(known);
  const { location } = cloudSettings(scope);
  if (location === undefined)
    throw new CastellanError(
      'CAS2004',
      `${scope.node.path} needs a location: give its stack one, by azure: { location: 'westeurope' } of a CastellanStack, or by CloudSettings.of(stack).set({ location: 'westeurope' })`,
    );
  requireProvider(scope, { azurerm: undefined });
  const group = new ResourceGroup(stack, id, {
    name: escapeInterpolation(name),
    location,
    tags: tagsOf(scope, undefined),
  });
  if (logicalId !== undefined) group.overrideLogicalId(logicalId);
  creators.set(group, scope);
  return placeIn(group);
}

function placeIn({ name, location }: ResourceGroup): ResolvedResourceGroup {
  return { resourceGroupName: name, location };
}

function existing(scope: Construct, name: string, own?: string): ResolvedResourceGroup {
  const location = own ?? cloudSettings(scope).location;
  if (location !== undefined) return { resourceGroupName: name, location };
  const stack = TerraformStack.of(scope);
  const id = `existing-resource-group-${idPart(stack, name)}`;
  const known = stack.node.tryFindChild(id);
  requireProvider(scope, { azurerm: undefined });
  const found =
    known instanceof DataAzurermResourceGroup
      ? known
      : new DataAzurermResourceGroup(stack, id, { name });
  return { resourceGroupName: name, location: found.location };
}

const namesKnownLater = new WeakMap<TerraformStack, Map<string, number>>();

/** A name as part of a construct's id, which can't be a token: names known later are counted. */
function idPart(stack: TerraformStack, name: string): string {
  if (!Token.isUnresolved(name)) return name;
  const counted = namesKnownLater.get(stack) ?? new Map<string, number>();
  namesKnownLater.set(stack, counted);
  const number = counted.get(name) ?? counted.size + 1;
  counted.set(name, number);
  return String(number);
}
