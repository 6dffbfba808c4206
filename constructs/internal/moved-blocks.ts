import {
  Construct,
  type IConstruct,
  RootConstruct,
  TerraformElement,
  TerraformResource,
  TerraformStack,
} from './cdktf.js';
import { SectionScope } from './section-scope.js';
import { nodesInStack } from './stack-nodes.js';

/** An address of the state before and after a move. */
export interface MovedAddress {
  readonly from: string;
  readonly to: string;
}

/** An address of the state that moves to this stack from another one. */
export interface MovedFromOtherStack extends MovedAddress {
  /** The name of the other stack. */
  readonly stack: string;
}

const blocksId = 'castellan-moved';

/**
 * The `moved` blocks of a stack: they tell Terraform that a resource has another address now,
 * so that it keeps the object.
 */
export class MovedBlocks extends TerraformElement {
  readonly #constructs: (readonly [Construct, readonly string[]])[] = [];
  readonly #formerIds = new Map<TerraformResource, readonly string[]>();
  #formerStackNames: readonly string[] = [];

  /** The blocks of a construct's stack. */
  static of(scope: IConstruct): MovedBlocks {
    const stack = TerraformStack.of(scope);
    const existing = stack.node.tryFindChild(blocksId);
    return existing instanceof MovedBlocks ? existing : new MovedBlocks(stack, blocksId);
  }

  /** Moves all resources of a construct from its earlier paths, the oldest first. */
  add(construct: Construct, formerPaths: readonly string[]): void {
    this.#constructs.push([construct, formerPaths]);
  }

  /** Moves one resource from the ids that it had in its construct, the oldest first. */
  addResource(resource: TerraformResource, formerIds: readonly string[]): void {
    this.#formerIds.set(resource, formerIds);
  }

  /**
   * Moves the resources that are named after the stack from its earlier names, the oldest first.
   */
  addStack(formerNames: readonly string[]): void {
    this.#formerStackNames = formerNames;
  }

  /** The addresses that move within the stack. */
  movesWithinStack(): readonly MovedAddress[] {
    const stack = TerraformStack.of(this);
    const resources = this.#formerStackNames.length === 0 ? [] : resourcesIn(stack);
    return [
      ...resources
        .filter((resource) => resource.friendlyUniqueId === stack.node.id)
        .flatMap((resource) => movedBlocksOf(resource, this.#formerStackNames)),
      ...this.#constructs.flatMap(([construct, formerPaths]) => {
        const pathsInStack = formerPaths.filter((path) => !path.includes(':'));
        if (pathsInStack.length === 0) return [];
        return resourcesIn(construct).flatMap((resource) => {
          const [firstId] = this.#formerIds.get(resource) ?? [];
          const [firstPath = ''] = pathsInStack;
          // construct and resource were both moved, in an order that is not known: only the first
          // address is sure
          const names =
            firstId === undefined
              ? pathsInStack.map((path) => formerLogicalId(resource, construct, path))
              : [formerLogicalId(resource, construct, firstPath, firstId)];
          return movedBlocksOf(resource, names);
        });
      }),
      ...[...this.#formerIds].flatMap(([resource, ids]) => {
        const { scopes } = resource.node;
        if (this.#constructs.some(([construct]) => scopes.includes(construct))) return [];
        const parentIds = scopes
          .slice(scopes.indexOf(stack) + 1, -1)
          .filter((each) => !(each instanceof SectionScope))
          .map(({ node }) => node.id);
        return movedBlocksOf(
          resource,
          ids.map((id) => logicalIdAtPath(stack, [...parentIds, id])),
        );
      }),
    ];
  }

  /** The addresses that move to this stack from others. */
  movesFromOtherStacks(): readonly MovedFromOtherStack[] {
    return this.#constructs.flatMap(([construct, formerPaths]) =>
      formerPaths.flatMap((path, index) => {
        const [stack, formerPath] = path.split(':');
        if (stack === undefined || formerPath === undefined) return [];
        const nextPathInStack = formerPaths.slice(index + 1).find((each) => !each.includes(':'));
        return resourcesIn(construct).map((resource) => {
          const type = resource.terraformResourceType;
          const to =
            nextPathInStack === undefined
              ? resource.friendlyUniqueId
              : formerLogicalId(resource, construct, nextPathInStack);
          return {
            stack,
            from: `${type}.${formerLogicalId(resource, construct, formerPath)}`,
            to: `${type}.${to}`,
          };
        });
      }),
    );
  }

  override toTerraform(): { moved?: readonly MovedAddress[] } {
    const moved = this.movesWithinStack();
    return moved.length === 0 ? {} : { moved };
  }

  override toHclTerraform(): { moved?: readonly object[] } {
    const moved = this.movesWithinStack();
    return moved.length === 0 ? {} : { moved: moved.map(hclBlock) };
  }
}

function hclBlock({ from, to }: MovedAddress): object {
  const reference = (value: string): object => ({
    value,
    isBlock: false,
    type: 'simple',
    storageClassType: 'reference',
  });
  return { to: reference(to), from: reference(from) };
}

/** One block for each earlier name, to the next one. */
function movedBlocksOf(
  resource: TerraformResource,
  formerNames: readonly string[],
): MovedAddress[] {
  const { terraformResourceType: type, friendlyUniqueId: currentName } = resource;
  const names = [...formerNames, currentName];
  return formerNames
    .map((name, index) => ({
      from: `${type}.${name}`,
      to: `${type}.${names[index + 1] ?? currentName}`,
    }))
    .filter(({ from, to }) => from !== to);
}

function resourcesIn(scope: Construct): readonly TerraformResource[] {
  return nodesInStack(scope).filter((each) => TerraformResource.isTerraformResource(each));
}

/** The Terraform name that a resource had while its construct was at another path. */
function formerLogicalId(
  resource: TerraformResource,
  construct: Construct,
  path: string,
  formerResourceId: string = resource.node.id,
): string {
  const stack = TerraformStack.of(construct);
  const isInSection = construct.node.scope instanceof SectionScope;
  const currentLogicalId = isInSection
    ? construct.node.id
    : stack.getLogicalId(construct.node as never);
  const formerPath = path.split('/');
  if (resource.friendlyUniqueId === currentLogicalId)
    return isInSection ? path : logicalIdAtPath(stack, formerPath);
  const parentIds = resource.node.scopes
    .slice(resource.node.scopes.indexOf(construct) + 1, -1)
    .map(({ node }) => node.id);
  return logicalIdAtPath(stack, [...formerPath, ...parentIds, formerResourceId]);
}

/** The name in Terraform of an element at a path below its stack. */
export function logicalIdAtPath(stack: TerraformStack, path: readonly string[]): string {
  const [first = '', ...rest] = path;
  const last = rest.reduce<Construct>(
    (scope, id) => new Construct(scope, id),
    new RootConstruct(first),
  );
  return stack.getLogicalId(last.node as never);
}
