import type { Declaration } from '../../policies/engine/stack-index.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  type IConstruct,
  TerraformElement,
  TerraformResource,
  TerraformStack,
} from '../internal/cdktf.js';
import { unknownPathsOf } from '../internal/check-construct.js';
import { isMovedAway } from '../internal/moved-away.js';
import { mainResourceId } from '../internal/meta-arguments.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/**
 * All declarations in a construct tree, in the form of castellan.yaml: plain data with the line
 * that created it, the construct's path and its Terraform address. The input of policies.
 *
 * @example
 * const groups = declarationsOf(stack).filter(({ section }) => section === 'groups');
 */
export function declarationsOf(scope: Construct): readonly Declaration[] {
  return constructsIn(scope).map((construct) => toDeclaration(construct));
}

/**
 * The constructs of this package in a tree, without those that only stand for a `moved` block: their
 * objects belong to other constructs now.
 */
export function constructsIn(scope: IConstruct): readonly CastellanConstruct[] {
  return scope.node
    .findAll()
    .filter((node) => node instanceof CastellanConstruct)
    .filter(({ node }) => {
      const main = node.tryFindChild(mainResourceId);
      return !(main instanceof TerraformResource && isMovedAway(main));
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
      ...omitUndefined({ location, usedAt, terraformName, terraformAddress: addressOf(construct) }),
    },
  } as Declaration;
}

/** The declarations of the other stacks of an app, to which a stack may refer. */
export function declarationsOfOtherStacks(scope: Construct): readonly Declaration[] {
  if (scope.node.root === scope) return [];
  const stack = TerraformStack.of(scope);
  return constructsIn(scope.node.root)
    .filter((construct) => TerraformStack.of(construct) !== stack)
    .map((construct) => toDeclaration(construct, stack));
}

function addressOf(construct: Construct): string | undefined {
  const main = construct.node.tryFindChild(mainResourceId);
  if (!TerraformElement.isTerraformElement(main) || !TerraformResource.isTerraformResource(main))
    return undefined;
  return `${main.terraformResourceType}.${main.friendlyUniqueId}`;
}
