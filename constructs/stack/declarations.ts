import type { Declaration } from '../../policies/engine/stack-index.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  type IConstruct,
  TerraformResource,
  TerraformStack,
} from '../internal/cdktf.js';
import { unknownPathsOf } from '../internal/check-construct.js';
import { isMovedAway } from '../internal/moved-away.js';
import { mainResourceId } from '../internal/meta-arguments.js';
import { nodesInStack, stackOf } from '../internal/stack-nodes.js';
import { addressOf } from '../internal/terraform-address.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/**
 * All declarations in a construct tree, in the form of castellan.yaml: plain data with the line
 * that created it, the construct's path and its Terraform address. The input of policies.
 *
 * @example
 * const groups = declarationsOf(stack).filter(({ section }) => section === 'groups');
 */
export function declarationsOf(scope: Construct): readonly Declaration[] {
  return constructsAmong(scope.node.findAll()).map((construct) => toDeclaration(construct));
}

/** The declarations in a stack, or in a part of it. */
export function declarationsInStack(scope: Construct): readonly Declaration[] {
  return constructsInStack(scope).map((construct) => toDeclaration(construct));
}

/** The constructs of this package in a stack, or in a part of it. */
export function constructsInStack(scope: IConstruct): readonly CastellanConstruct[] {
  return constructsAmong(nodesInStack(scope));
}

/**
 * The constructs of this package without those that only stand for a `moved` block: their objects
 * belong to other constructs now.
 */
function constructsAmong(nodes: readonly IConstruct[]): readonly CastellanConstruct[] {
  return nodes
    .filter((node) => node instanceof CastellanConstruct)
    .filter(({ node }) => {
      const main = node.tryFindChild(mainResourceId);
      return !(TerraformResource.isTerraformResource(main) && isMovedAway(main));
    });
}

/**
 * A construct in the form of castellan.yaml.
 *
 * @param seenFrom the stack in which the names are used: those of constructs of other stacks are
 *   `stack:name`. @default the construct's own
 */
export function toDeclaration(
  construct: CastellanConstruct,
  seenFrom: TerraformStack = TerraformStack.of(construct),
): Declaration {
  const { section, name, value } = construct.declarationSeenFrom(seenFrom);
  const { creationLocation: location, terraformName, usedAt } = construct;
  return {
    section,
    name,
    value,
    unknownPaths: unknownPathsOf(section, value),
    origin: {
      constructPath: construct.node.path,
      ...omitUndefined({
        location,
        usedAt,
        terraformName,
        terraformAddress: mainAddressOf(construct),
      }),
    },
  } as Declaration;
}

/** The declarations of the other stacks of an app, to which a stack may refer. */
export function declarationsOfOtherStacks(scope: Construct): readonly Declaration[] {
  const stack = stackOf(scope);
  if (stack === undefined) return [];
  return constructsAmong(scope.node.root.node.findAll())
    .filter((construct) => TerraformStack.of(construct) !== stack)
    .map((construct) => toDeclaration(construct, stack));
}

function mainAddressOf(construct: Construct): string | undefined {
  const main = construct.node.tryFindChild(mainResourceId);
  return TerraformResource.isTerraformResource(main) ? addressOf(main) : undefined;
}
