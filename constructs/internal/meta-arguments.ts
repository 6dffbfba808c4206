import {
  Construct,
  type ITerraformDependable,
  type ITerraformIterator,
  ref,
  TerraformDataSource,
  type TerraformElement,
  type TerraformProvider,
  TerraformResource,
  type TerraformResourceLifecycle,
  TerraformStack,
} from './cdktf.js';
import { nodesInStack } from './stack-nodes.js';
import { addressOf } from './terraform-address.js';

/** Terraform's meta-arguments, under cdktf's names; every construct takes them. */
export interface MetaArguments {
  /** What is created before any resource of the construct. @default nothing */
  readonly dependsOn?: readonly ITerraformDependable[] | undefined;
  /**
   * The provider of its resources and data sources, usually one with an alias. Where a construct
   * has resources of several providers, give one of each. @default the stack's provider without an
   * alias
   */
  readonly provider?: TerraformProvider | readonly TerraformProvider[] | undefined;
  /**
   * How Terraform replaces, keeps and compares the main resource, `resource`. @default Terraform's
   */
  readonly lifecycle?: TerraformResourceLifecycle | undefined;
  /** Creates the construct once for each entry; its other values may refer to the entry. */
  readonly forEach?: ITerraformIterator | undefined;
  /**
   * The earlier path of the construct below its stack, such as `customers` or `shop/customers`; of
   * several, the oldest first. Its resources keep their state, and names that follow from the id
   * keep their value. @default it was never renamed
   */
  readonly movedFrom?: string | readonly string[] | undefined;
}

/** The meta-arguments among the props of a construct, and the other props. */
export function splitMetaArguments<Props extends object>(
  props: Props & MetaArguments,
): readonly [MetaArguments, Omit<Props, keyof MetaArguments>] {
  const { dependsOn, provider, lifecycle, forEach, movedFrom, ...declared } = props;
  return [{ dependsOn, provider, lifecycle, forEach, movedFrom }, declared];
}

/**
 * The meta-arguments of a construct for a construct inside it: the same ones, with the earlier
 * paths of the inner one. `lifecycle` is left out, as it is about a single resource.
 */
export function metaArgumentsOfPart(meta: MetaArguments, id: string): MetaArguments {
  const { dependsOn, provider, forEach } = meta;
  const movedFrom = formerPaths(meta).map((path) => `${path}/${id}`);
  return { dependsOn, provider, forEach, ...(movedFrom.length > 0 && { movedFrom }) };
}

/** Gives a resource or a data source the meta-arguments of its construct. */
export function applyMetaArguments(
  element: TerraformElement,
  { dependsOn = [], provider, lifecycle, forEach }: MetaArguments,
): void {
  if (!isResourceOrDataSource(element)) return;
  const matchingProvider = providerFor(element.terraformResourceType, provider);
  if (matchingProvider !== undefined) element.provider = matchingProvider;
  const addresses = dependsOn.flatMap((each) => addressesOf(each, element));
  if (addresses.length > 0) element.dependsOn = [...(element.dependsOn ?? []), ...addresses];
  if (lifecycle !== undefined && element.node.id === mainResourceId)
    element.lifecycle = { ...element.lifecycle, ...lifecycle };
  if (forEach === undefined) return;
  element.forEach = forEach;
  // resources of one construct are created for the same entries, and refer to each other by entry
  element.interpolationForAttribute = (attribute) =>
    ref(`${addressOf(element)}[each.key].${attribute}`, TerraformStack.of(element));
}

/** The earlier paths of a construct, `path/below/stack` or `stack:path/below/it`, the oldest first. */
export function formerPaths({ movedFrom = [] }: MetaArguments): readonly string[] {
  return typeof movedFrom === 'string' ? [movedFrom] : movedFrom;
}

/** The id of a construct's main resource. */
export const mainResourceId = 'Default';

/** The given provider for a type of resources: `azuread` for `azuread_group`. */
export function providerFor(
  type: string,
  provider: MetaArguments['provider'],
): TerraformProvider | undefined {
  const givenProviders = ([] as TerraformProvider[]).concat(provider ?? []);
  return givenProviders.find(
    ({ terraformResourceType: name }) => type === name || type.startsWith(`${name}_`),
  );
}

function isResourceOrDataSource(
  element: unknown,
): element is TerraformResource | TerraformDataSource {
  return (
    TerraformResource.isTerraformResource(element) ||
    TerraformDataSource.isTerraformDataSource(element)
  );
}

/**
 * The addresses of a dependency: of a construct, those of all its resources. For a construct of
 * another stack, the stack depends on that stack instead.
 */
function addressesOf(
  dependency: ITerraformDependable,
  dependent: TerraformElement,
): readonly string[] {
  if (!Construct.isConstruct(dependency)) return [dependency.fqn];
  const [stack, dependencyStack] = [TerraformStack.of(dependent), TerraformStack.of(dependency)];
  if (dependencyStack !== stack) {
    stack.addDependency(dependencyStack);
    return [];
  }
  return nodesInStack(dependency).filter(isResourceOrDataSource).map(addressOf);
}
