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
import { getOrCreateChild, nameAfterStack } from '../internal/own-child.js';
import { requireProviders } from '../internal/providers.js';
import { mergeStackTags } from './tags.js';

/** A resource group with its region. */
export type ResolvedResourceGroup = Required<IResourceGroup> & { readonly location: string };

/**
 * The resource group of a construct: its own, otherwise that of the stack. A group
 * given only by its name is created when the first construct needs it.
 *
 * @throws CAS2004 when a group is created and the stack has no location.
 */
export function resolveResourceGroup(
  scope: Construct,
  ownReference?: ResourceGroupReference,
): ResolvedResourceGroup {
  const stack = TerraformStack.of(scope);
  const { namedAfter = stack.node.id, resourceGroup = `rg-${namedAfter}` } = cloudSettings(scope);
  const reference = ownReference ?? resourceGroup;
  // a name that is known only at apply may be any token
  const resolvedReference = Token.isUnresolved(reference) ? Token.asString(reference) : reference;
  if (typeof resolvedReference === 'string')
    return getOrCreate(
      scope,
      resolvedReference,
      reference === resourceGroup ? stack.node.id : undefined,
    );
  if ('existing' in resolvedReference)
    return existingGroup(scope, escapeInterpolation(resolvedReference.existing));
  return 'resourceGroupName' in resolvedReference
    ? existingGroup(scope, resolvedReference.resourceGroupName, resolvedReference.location)
    : { resourceGroupName: resolvedReference.name, location: resolvedReference.location };
}

const creators = new WeakMap<IConstruct, Construct>();

/** The construct for which a resource group was created, if one was. */
export function resourceGroupCreator(group: IConstruct): Construct | undefined {
  return creators.get(group);
}

/** @param logicalId the name of the group in Terraform. @default derived from the group's name */
function getOrCreate(
  scope: Construct,
  name: string,
  logicalId: string | undefined,
): ResolvedResourceGroup {
  const stack = TerraformStack.of(scope);
  const id =
    logicalId === undefined ? `resource-group-${idSegment(stack, name)}` : 'resource-group';
  const isOwn = (each: IConstruct): each is ResourceGroup =>
    each instanceof ResourceGroup && creators.has(each);
  return resolvedGroupOf(
    getOrCreateChild(stack, id, isOwn, (freeId) =>
      createGroup(scope, freeId, { name, isOfStack: logicalId !== undefined }),
    ),
  );
}

function createGroup(
  scope: Construct,
  id: string,
  { name, isOfStack }: { readonly name: string; readonly isOfStack: boolean },
): ResourceGroup {
  const { location } = cloudSettings(scope);
  if (location === undefined)
    throw new CastellanError(
      'CAS2004',
      `${scope.node.path} needs a location: give its stack one, by azure: { location: 'westeurope' } in castellan.yaml or of a CastellanStack, or by CloudSettings.of(stack).set({ location: 'westeurope' })`,
    );
  // undefined: the provider without an alias
  requireProviders(scope, { azurerm: undefined });
  const group = new ResourceGroup(TerraformStack.of(scope), id, {
    name: escapeInterpolation(name),
    location,
    tags: mergeStackTags(scope, undefined),
  });
  if (isOfStack) nameAfterStack(group);
  creators.set(group, scope);
  return group;
}

function resolvedGroupOf({ name, location }: ResourceGroup): ResolvedResourceGroup {
  return { resourceGroupName: name, location };
}

function existingGroup(
  scope: Construct,
  name: string,
  ownLocation?: string,
): ResolvedResourceGroup {
  const location = ownLocation ?? cloudSettings(scope).location;
  if (location !== undefined) return { resourceGroupName: name, location };
  const stack = TerraformStack.of(scope);
  const id = `existing-resource-group-${idSegment(stack, name)}`;
  // undefined: the provider without an alias
  requireProviders(scope, { azurerm: undefined });
  const group = getOrCreateChild(
    stack,
    id,
    (each) => each instanceof DataAzurermResourceGroup,
    (freeId) => new DataAzurermResourceGroup(stack, freeId, { name }),
  );
  return { resourceGroupName: name, location: group.location };
}

const tokenNumbers = new WeakMap<TerraformStack, Map<string, number>>();

/**
 * A name as part of a construct's id; names that are tokens are numbered, as an id can't be one.
 */
function idSegment(stack: TerraformStack, name: string): string {
  if (!Token.isUnresolved(name)) return name;
  const numbers = tokenNumbers.get(stack) ?? new Map<string, number>();
  tokenNumbers.set(stack, numbers);
  const number = numbers.get(name) ?? numbers.size + 1;
  numbers.set(name, number);
  return String(number);
}
