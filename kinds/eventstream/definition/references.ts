import { describeAllowed, nearest } from '../../../core/text/nearest.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type NodeListName, nodeLists, type NodeType, nodeTypes } from '../nodes/index.js';
import type { DefinitionMistake } from './check-schema.js';

/** In a document with more nodes, no similar name is suggested, as it would take too long. */
const maxSuggestionNodes = 500;

/** A node and its path, read leniently: the schema is checked elsewhere. */
export interface DefinitionNode {
  readonly list: NodeListName;
  readonly index: number;
  readonly name: string;
  /** Empty if the document has none, or one that is not a text. */
  readonly type: string;
  /** The names of a node's inputs, with their paths in `inputNodes`. */
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
      nodes.push({
        list,
        index,
        name,
        type: typeof type === 'string' ? type : '',
        inputs: inputsOf(entry['inputNodes']),
      });
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
    if (isObject(input) && typeof input['name'] === 'string' && input['name'] !== '')
      inputs.push({ name: input['name'], index });
  }
  return inputs;
}

/**
 * Checks what a schema cannot: names are unique, inputs exist, are allowed there and flow one way,
 * and there is one default stream.
 */
export function checkReferences(document: unknown): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  const nodes = nodesOf(document);
  const byName = new Map<string, DefinitionNode>();
  let defaultStream: DefinitionNode | undefined;
  for (const node of nodes) {
    const path = [node.list, node.index];
    const namesake = byName.get(node.name);
    if (namesake)
      mistakes.push({
        path: [...path, 'name'],
        message: `the name "${node.name}" is already that of ${namesake.list}[${namesake.index}]`,
      });
    else byName.set(node.name, node);
    if (node.type === 'DefaultStream' && node.list === 'streams') {
      defaultStream ??= node;
      if (defaultStream !== node)
        mistakes.push({
          path: [...path, 'type'],
          message: `there is at most one DefaultStream, and "${defaultStream.name}" is one already`,
        });
    }
    const { min = 0, max = Infinity } = typeOf(node)?.inputs ?? {};
    const count = node.inputs.length;
    if (node.list !== 'sources' && count > 0 && (count < min || count > max))
      mistakes.push({
        path: [...path, 'inputNodes'],
        message: `a ${node.type} has ${inputCountText(min, max)}, not ${count}`,
      });
  }
  let inputCandidates: readonly string[] | undefined;
  const suggestionFor = (name: string): NodeSuggestion =>
    suggestNode(
      name,
      (inputCandidates ??= nodes
        .filter(({ list }) => list !== 'destinations')
        .map((each) => each.name)),
    );
  for (const node of nodes) checkInputs(node, byName, suggestionFor, mistakes);
  mistakes.push(...checkCycles(nodes, byName));
  return mistakes;
}

function typeOf({ list, type }: DefinitionNode): NodeType | undefined {
  return Object.hasOwn(nodeTypes[list], type) ? nodeTypes[list][type] : undefined;
}

function inputCountText(min: number, max: number): string {
  if (min === max) return `exactly ${min} input nodes`;
  return max === Infinity ? `at least ${min} input nodes` : `${min} to ${max} input nodes`;
}

function checkInputs(
  node: DefinitionNode,
  byName: ReadonlyMap<string, DefinitionNode>,
  suggestionFor: (name: string) => NodeSuggestion,
  mistakes: DefinitionMistake[],
): void {
  const { list, index: nodeIndex, inputs } = node;
  if (list === 'sources') {
    if (inputs.length > 0)
      mistakes.push({
        path: [list, nodeIndex, 'inputNodes'],
        message: 'a source reads no other node',
      });
    return;
  }
  const allowedLists = typeOf(node)?.inputs.from;
  const names = inputs.length > 1 ? new Set<string>() : undefined;
  for (const { name, index } of inputs) {
    const inputNode = byName.get(name);
    let message: string | undefined;
    let suggestion: DefinitionMistake['suggestion'];
    if (inputNode === undefined) {
      const { text, value } = suggestionFor(name);
      message = `there is no node named "${name}"${text}`;
      suggestion = value === undefined ? undefined : { value };
    } else if (inputNode.list === 'destinations')
      message = `"${name}" is a destination: events end there`;
    else if (allowedLists?.includes(inputNode.list) === false)
      message = `a ${node.type} reads ${allowedLists.join(', ')}; "${name}" is one of the ${inputNode.list}`;
    else if (names?.has(name)) message = `"${name}" is an input node already`;
    else names?.add(name);
    if (message !== undefined)
      mistakes.push({
        path: [list, nodeIndex, 'inputNodes', index, 'name'],
        message,
        ...omitUndefined({ suggestion }),
      });
  }
}

interface NodeSuggestion {
  /** The end of the message. */
  readonly text: string;
  /** The existing name that was probably meant. @default no name is similar */
  readonly value?: string;
}

/** The suggestion for a name that no node has. */
function suggestNode(name: string, inputCandidates: readonly string[]): NodeSuggestion {
  const suggestion =
    inputCandidates.length > maxSuggestionNodes ? undefined : nearest(name, inputCandidates);
  if (suggestion !== undefined)
    return { text: `; did you mean "${suggestion}"?`, value: suggestion };
  return {
    text:
      inputCandidates.length > 0 && inputCandidates.length <= maxSuggestionNodes
        ? `; there are ${describeAllowed(name, inputCandidates, 'the document')}`
        : '',
  };
}

/**
 * Events cannot flow in a cycle: each cycle is reported once, at its first node in the document.
 */
function checkCycles(
  nodes: readonly DefinitionNode[],
  byName: ReadonlyMap<string, DefinitionNode>,
): DefinitionMistake[] {
  // Without a node that is both input and consumer, there is no cycle.
  if (
    !nodes.some(({ inputs }) =>
      inputs.some(({ name }) => (byName.get(name)?.inputs.length ?? 0) > 0),
    )
  )
    return [];
  const mistakes: DefinitionMistake[] = [];
  const state = new Map<DefinitionNode, 'visiting' | 'done'>();
  const visit = (start: DefinitionNode): void => {
    // An explicit stack: a chain of any length must not exhaust the call stack.
    const stack: { node: DefinitionNode; nextInput: number }[] = [{ node: start, nextInput: 0 }];
    state.set(start, 'visiting');
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top === undefined) return;
      const input = top.node.inputs[top.nextInput++];
      if (input === undefined) {
        state.set(top.node, 'done');
        stack.pop();
        continue;
      }
      const inputNode = byName.get(input.name);
      if (inputNode === undefined || state.get(inputNode) === 'done') continue;
      if (state.get(inputNode) === 'visiting') {
        const cycleStart = stack.findIndex(({ node }) => node === inputNode);
        const cycle = [...stack.slice(cycleStart).map(({ node }) => node.name), inputNode.name]
          .reverse()
          .join(' -> ');
        const path = [top.node.list, top.node.index, 'inputNodes', input.index, 'name'];
        mistakes.push({ path, message: `events would flow in a circle: ${cycle}` });
        continue;
      }
      state.set(inputNode, 'visiting');
      stack.push({ node: inputNode, nextInput: 0 });
    }
  };
  for (const node of nodes) if (!state.has(node)) visit(node);
  return mistakes;
}
