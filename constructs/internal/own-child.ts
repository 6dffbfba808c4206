import { type IConstruct, TerraformResource, TerraformStack } from './cdktf.js';
import { nodesInStack } from './stack-nodes.js';
import { addressOf } from './terraform-address.js';

/**
 * The construct that castellan makes once in a scope: the existing one, otherwise a new one. Where
 * the program has another construct of this id, such as a variable `environment`, the id gets a
 * prefix.
 */
export function getOrCreateChild<Child extends IConstruct>(
  scope: IConstruct,
  id: string,
  isOwn: (existing: IConstruct) => existing is Child,
  create: (freeId: string) => Child,
): Child {
  const existing = scope.node.tryFindChild(id);
  if (existing === undefined) return create(id);
  return isOwn(existing) ? existing : getOrCreateChild(scope, `${idPrefix}${id}`, isOwn, create);
}

const idPrefix = 'castellan-';

/** The id of a child of a scope, with a prefix where the scope has another child of this id. */
export function freeChildId(scope: IConstruct, id: string): string {
  const isFree = scope.node.tryFindChild(id) === undefined;
  return isFree ? id : freeChildId(scope, `${idPrefix}${id}`);
}

/**
 * Gives a resource the name of its stack in Terraform. At synthesis, a second resource of the same
 * address is refused: cdktf would merge the two into one.
 */
export function nameAfterStack(resource: TerraformResource): void {
  const stack = TerraformStack.of(resource);
  resource.overrideLogicalId(stack.node.id);
  resource.node.addValidation({
    validate: () => {
      const address = addressOf(resource);
      const other = nodesInStack(stack).find(
        (each) =>
          each !== resource &&
          TerraformResource.isTerraformResource(each) &&
          addressOf(each) === address,
      );
      if (other === undefined) return [];
      return [
        `${other.node.path} is ${address}, too, which is named after the stack: give it another id than ${stack.node.id}`,
      ];
    },
  });
}
