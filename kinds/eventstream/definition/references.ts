import { nearest } from '../../../core/text/nearest.js';
import { isObject } from './check-shape.js';
import type { DefinitionMistake } from './check-shape.js';

/** The lists of an eventstream definition that hold nodes. */
export const nodeLists = ['sources', 'streams', 'operators', 'destinations'] as const;
/** The name of such a list. */
export type NodeList = (typeof nodeLists)[number];

/** In a document with more nodes than anybody draws, a misspelt name is not compared with all of them. */
const mostCompared = 500;

/** A node with where it stands, read leniently: shapes are checked elsewhere. */
export interface DefinitionNode {
  readonly list: NodeList;
  readonly index: number;
  readonly name: string;
  readonly type: string;
  /** The names of the nodes that events come from, with their place in `inputNodes`. */
  readonly inputs: readonly { readonly name: string; readonly index: number }[];
}

/** Every named node of a document. */
export function nodesOf(document: unknown): readonly DefinitionNode[] {
  if (!isObject(document)) return [];
  const nodes: DefinitionNode[] = [];
  for (const list of nodeLists) {
    const entries = document[list];
    if (!Array.isArray(entries)) continue;
    for (let index = 0; index < entries.length; index++) {
      const entry: unknown = entries[index];
      if (!isObject(entry)) continue;
      const { name, type } = entry;
      if (typeof name !== 'string' || name === '') continue;
      nodes.push({ list, index, name, type: typeof type === 'string' ? type : '', inputs: inputsOf(entry['inputNodes']) });
    }
  }
  return nodes;
}

const noInputs: DefinitionNode['inputs'] = [];

function inputsOf(inputNodes: unknown): DefinitionNode['inputs'] {
  if (!Array.isArray(inputNodes) || inputNodes.length === 0) return noInputs;
  const inputs: { name: string; index: number }[] = [];
  for (let index = 0; index < inputNodes.length; index++) {
    const input: unknown = inputNodes[index];
    if (isObject(input) && typeof input['name'] === 'string' && input['name'] !== '') inputs.push({ name: input['name'], index });
  }
  return inputs;
}

/** What shapes can't say: names are unique, inputs exist and flow one way, there is one default stream, a join joins two. */
export function checkReferences(document: unknown): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  const nodes = nodesOf(document);
  const byName = new Map<string, DefinitionNode>();
  let first: DefinitionNode | undefined;
  for (const node of nodes) {
    const path = [node.list, node.index];
    const other = byName.get(node.name);
    if (other)
      mistakes.push({ path: [...path, 'name'], message: `the name "${node.name}" is already that of ${other.list}[${other.index}]` });
    else byName.set(node.name, node);
    if (node.type === 'DefaultStream' && node.list === 'streams') {
      first ??= node;
      if (first !== node)
        mistakes.push({
          path: [...path, 'type'],
          message: `there is at most one DefaultStream, and "${first.name}" is one already`,
        });
    }
    if (node.list === 'operators' && node.type === 'Join' && node.inputs.length !== 2 && node.inputs.length > 0)
      mistakes.push({ path: [...path, 'inputNodes'], message: `a Join has exactly two input nodes, not ${node.inputs.length}` });
  }
  let givers: readonly string[] | undefined;
  const hintFor = (name: string): string =>
    hint(name, (givers ??= nodes.filter(({ list }) => list !== 'destinations').map((each) => each.name)));
  for (const node of nodes) checkInputs(node, byName, hintFor, mistakes);
  mistakes.push(...checkCircles(nodes, byName));
  return mistakes;
}

function checkInputs(
  { list, index: at, inputs }: DefinitionNode,
  byName: ReadonlyMap<string, DefinitionNode>,
  hintFor: (name: string) => string,
  mistakes: DefinitionMistake[],
): void {
  const seen = inputs.length > 1 ? new Set<string>() : undefined;
  for (const { name, index } of inputs) {
    const giver = byName.get(name);
    let message: string | undefined;
    if (giver === undefined) message = `there is no node named "${name}"${hintFor(name)}`;
    else if (giver.list === 'destinations') message = `"${name}" is a destination: events end there`;
    else if (seen?.has(name)) message = `"${name}" is an input node already`;
    else seen?.add(name);
    if (message !== undefined) mistakes.push({ path: [list, at, 'inputNodes', index, 'name'], message });
  }
}

/** What may have been meant by a name that no node has. */
function hint(name: string, givers: readonly string[]): string {
  const meant = givers.length > mostCompared ? undefined : nearest(name, givers);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  return givers.length > 0 ? `; there are ${givers.slice(0, 10).join(', ')}` : '';
}

/** Events can't flow in a circle: each circle is reported once, at the first of its nodes in the document. */
function checkCircles(nodes: readonly DefinitionNode[], byName: ReadonlyMap<string, DefinitionNode>): DefinitionMistake[] {
  // Where nothing is taken from what itself takes something, there is no circle.
  if (!nodes.some(({ inputs }) => inputs.some(({ name }) => (byName.get(name)?.inputs.length ?? 0) > 0))) return [];
  const mistakes: DefinitionMistake[] = [];
  const state = new Map<DefinitionNode, 'open' | 'done'>();
  const visit = (start: DefinitionNode): void => {
    // An explicit stack: a chain of any length must not exhaust the call stack.
    const stack: { node: DefinitionNode; next: number }[] = [{ node: start, next: 0 }];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top === undefined) return;
      const input = top.node.inputs[top.next++];
      if (input === undefined) {
        state.set(top.node, 'done');
        stack.pop();
        continue;
      }
      const giver = byName.get(input.name);
      if (giver === undefined || state.get(giver) === 'done') continue;
      if (state.get(giver) === 'open') {
        const from = stack.findIndex(({ node }) => node === giver);
        const circle = [...stack.slice(from).map(({ node }) => node.name), giver.name].reverse().join(' -> ');
        const path = [top.node.list, top.node.index, 'inputNodes', input.index, 'name'];
        mistakes.push({ path, message: `events would flow in a circle: ${circle}` });
        continue;
      }
      state.set(giver, 'open');
      stack.push({ node: giver, next: 0 });
    }
  };
  for (const node of nodes) if (!state.has(node)) visit(node);
  return mistakes;
}
