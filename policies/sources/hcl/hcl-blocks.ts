import type { Node } from 'web-tree-sitter';
import type { ConfigPath } from '../../../core/yaml/layers.js';

/**
 * The node of an attribute in a block, or the nearest one around it that the source has.
 *
 * @param path steps as in a plan: names, indexes of blocks and entries, `*` for any, and
 *   `type=Liveness` for the block or object with that attribute; the text of an attribute `name`
 *   stands for its block or object, as names of entries do in a declaration.
 */
export function nodeAt(block: Node, path: ConfigPath): Node {
  let currentNodes: readonly Node[] = [block];
  let nearestNode = block;
  for (const [index, step] of path.entries()) {
    const nextNodes = stepInto(currentNodes, step);
    const [next] = nextNodes;
    if (next === undefined) {
      // a list with one block may be written as one object, and an object as a list
      if (typeof step === 'number' || index === path.length - 1) continue;
      break;
    }
    currentNodes = nextNodes;
    nearestNode = next;
  }
  return nearestNode;
}

function stepInto(nodes: readonly Node[], step: string | number): readonly Node[] {
  if (step === '*') return nodes;
  if (typeof step === 'number')
    return nodes.length > 1 || nodes[0]?.type === 'block'
      ? nodes.slice(step, step + 1)
      : nodes.flatMap(entriesOf).slice(step, step + 1);
  const [name = '', value] = step.split('=');
  if (value !== undefined) return entriesWith(nodes, name, value);
  const found = nodes.flatMap((each) => attributesOrBlocks(each, name));
  return found.length > 0 ? found : entriesWith(nodes, 'name', step);
}

/** The blocks, or the objects of a list, in which an attribute is this text. */
function entriesWith(nodes: readonly Node[], attribute: string, text: string): readonly Node[] {
  return nodes
    .flatMap((each) => (each.type === 'block' ? [each] : entriesOf(each)))
    .filter((each) =>
      attributesOrBlocks(each, attribute).some((value) => value.text === `"${text}"`),
    );
}

/** The values of an attribute, or the blocks of a type; of a `dynamic` block, its content. */
function attributesOrBlocks(node: Node, name: string): readonly Node[] {
  if (node.type === 'block')
    return childrenOf(bodyOf(node)).flatMap((each) => {
      const [key, value] = childrenOf(each);
      if (each.type === 'attribute') return key?.text === name && value ? [value] : [];
      if (key?.text === name) return [each];
      return key?.text === 'dynamic' && labelsOf(each)[0] === name ? contentOf(each) : [];
    });
  const value = unwrapExpression(node);
  if (functionName(value) === 'merge') return memberOfMerge(value, name);
  return childrenOf(value).flatMap((each) => {
    if (each.type !== 'object_elem') return [];
    const [key, member] = childrenOf(each);
    return member && key?.text.replace(/^"(.*)"$/, '$1') === name ? [member] : [];
  });
}

/** A member of merged objects: that of the last one that has it, if this can be told. */
function memberOfMerge(call: Node, name: string): readonly Node[] {
  for (const object of argumentsOf(call).toReversed()) {
    const members = attributesOrBlocks(object, name);
    if (members.length > 0) return members;
    // an object that is not written here may have the member
    if (!isWrittenOut(object, 'object')) return [];
  }
  return [];
}

/** Whether the whole value is written here: every object or list of it, where several are joined. */
function isWrittenOut(node: Node, type: 'object' | 'tuple'): boolean {
  const value = unwrapExpression(node);
  const isJoined = functionName(value) === (type === 'object' ? 'merge' : 'concat');
  const parts = isJoined ? argumentsOf(value) : [];
  return isJoined
    ? parts.length > 0 && parts.every((each) => isWrittenOut(each, type))
    : value.type === type;
}

function contentOf(dynamic: Node): readonly Node[] {
  return childrenOf(bodyOf(dynamic)).filter(
    (each) => each.type === 'block' && childrenOf(each)[0]?.text === 'content',
  );
}

function entriesOf(node: Node): readonly Node[] {
  const value = unwrapExpression(node);
  if (functionName(value) === 'concat') return entriesOfConcat(value);
  return value.type === 'tuple'
    ? childrenOf(value).filter(({ type }) => type === 'expression')
    : [];
}

/** The entries of joined lists, up to one that is not written here and may have any number. */
function entriesOfConcat(call: Node): readonly Node[] {
  const lists = argumentsOf(call);
  const end = lists.findIndex((each) => !isWrittenOut(each, 'tuple'));
  return lists.slice(0, end === -1 ? lists.length : end).flatMap(entriesOf);
}

function functionName(node: Node): string | undefined {
  return node.type === 'function_call' ? childrenOf(node)[0]?.text : undefined;
}

/** The arguments of a call; none where the last one is a list of arguments (`lists...`). */
function argumentsOf(call: Node): readonly Node[] {
  const list = childrenOf(call).find(({ type }) => type === 'function_arguments');
  return list?.text.trimEnd().endsWith('...') === true
    ? []
    : childrenOf(list).filter(({ type }) => type === 'expression');
}

/** Functions whose value has parts of several arguments. */
const joiningFunctions = ['concat', 'merge'];

/**
 * The object or list in an expression, also as the argument of a function such as `jsonencode`; the
 * call of one that joins several.
 */
function unwrapExpression(node: Node): Node {
  const wrappers = ['expression', 'collection_value', 'function_arguments'];
  let value = node;
  for (;;) {
    const inner =
      value.type === 'function_call' && !joiningFunctions.includes(functionName(value) ?? '')
        ? childrenOf(value).find(({ type }) => type === 'function_arguments')
        : wrappers.includes(value.type)
          ? childrenOf(value)[0]
          : undefined;
    if (inner === undefined) return value;
    value = inner;
  }
}

/** The labels of a block: `azuread_group` and `shoppers`, in quotes or not. */
export function labelsOf(block: Node): readonly string[] {
  return labelNodesOf(block).map(({ type, text }) =>
    type === 'string_lit' ? text.slice(1, -1) : text,
  );
}

/** The nodes of the labels of a block, which follow its type. */
export function labelNodesOf(block: Node): readonly Node[] {
  return childrenOf(block)
    .filter(({ type }) => type === 'string_lit' || type === 'identifier')
    .slice(1);
}

/** The blocks of a file or a block. */
export function blocksOf(node: Node): readonly Node[] {
  return childrenOf(bodyOf(node)).filter(({ type }) => type === 'block');
}

function bodyOf(node: Node): Node | undefined {
  return childrenOf(node).find(({ type }) => type === 'body');
}

function childrenOf(node: Node | undefined): readonly Node[] {
  return (node?.namedChildren ?? []).filter((each) => each !== null);
}
