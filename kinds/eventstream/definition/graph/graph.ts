import { isObject } from '../check-shape.js';
import { nodesOf } from '../references.js';
import type { DefinitionNode, NodeList } from '../references.js';

/** A node as it is drawn. */
export interface GraphNode {
  /** Short and plain, for languages that allow little in names: `n0`. */
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly list: NodeList;
}

/** An eventstream as it is drawn: how events flow. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly { readonly from: GraphNode; readonly to: GraphNode }[];
}

/**
 * The graph of an eventstream's document. Inputs may be written as names alone, as castellan.yaml allows; inputs that lead nowhere are
 * left out, for the check names them.
 */
export function graphOf(document: unknown): Graph {
  const found = nodesOf(withInputObjects(document));
  const nodes = found.map(({ name, type, list }, index): GraphNode => ({ id: `n${index}`, name, type, list }));
  const byName = new Map(nodes.map((node) => [node.name, node] as const));
  const edges = found.flatMap((node: DefinitionNode, index) =>
    node.inputs.flatMap(({ name }) => {
      const [from, to] = [byName.get(name), nodes[index]];
      return from && to ? [{ from, to }] : [];
    }),
  );
  return { nodes, edges };
}

function withInputObjects(document: unknown): unknown {
  if (!isObject(document)) return document;
  return Object.fromEntries(
    Object.entries(document).map(([list, nodes]) => [list, Array.isArray(nodes) ? nodes.map((node: unknown) => withInputs(node)) : nodes]),
  );
}

function withInputs(node: unknown): unknown {
  if (!isObject(node) || !Array.isArray(node['inputNodes'])) return node;
  return { ...node, inputNodes: node['inputNodes'].map((input: unknown) => (typeof input === 'string' ? { name: input } : input)) };
}
