import { type IConstruct, TerraformStack } from './cdktf.js';

/**
 * A scope and the constructs below it, without those of stacks inside it: each stack has its own
 * Terraform JSON, and is checked by itself.
 */
export function nodesInStack(scope: IConstruct): readonly IConstruct[] {
  const nodes: IConstruct[] = [];
  const visit = (node: IConstruct): void => {
    nodes.push(node);
    for (const child of node.node.children) if (!TerraformStack.isStack(child)) visit(child);
  };
  visit(scope);
  return nodes;
}

/**
 * Whether a construct is a stack, also while its constructor runs, which is before cdktf marks it,
 * and where the program has another copy of cdktf: `instanceof` knows one copy only.
 */
export function isStack(construct: IConstruct): construct is TerraformStack {
  return typeof (construct.constructor as Partial<typeof TerraformStack>).isStack === 'function';
}

/** The stacks below a scope, also those inside other stacks. */
export function stacksBelow(scope: IConstruct): readonly TerraformStack[] {
  return scope.node
    .findAll()
    .filter((each) => each !== scope)
    .filter((each) => TerraformStack.isStack(each));
}

/** The stack of a scope; undefined for one that is outside of stacks, such as an app. */
export function stackOf(scope: IConstruct): TerraformStack | undefined {
  return scope.node.scopes.findLast((each) => TerraformStack.isStack(each));
}
