import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { nodeLists } from '../../kinds/eventstream/nodes/index.js';
import { matchesDeclared } from './matches-declared.js';

/** A place in a declared document, with its difference. */
export interface GraphDifference {
  readonly path: ConfigPath;
  /** What follows the place in a message: `is not there`, `differs from what is declared`. */
  readonly reason: string;
}

type Node = Readonly<Record<string, unknown>>;

/**
 * The differences in an eventstream's graph: nodes that were removed, changed or added by hand.
 * Default streams are equal under any name: the service names them after the eventstream.
 *
 * @param impliedStream the name in `declared` of the default stream that castellan.yaml leaves out.
 */
export function graphDifferences(
  declared: unknown,
  liveGraph: unknown,
  impliedStream?: string,
): readonly GraphDifference[] {
  if (!isObject(declared) || !isObject(liveGraph))
    return matchesDeclared(declared, liveGraph)
      ? []
      : [{ path: [], reason: 'differs from what is declared' }];
  const streamNames = defaultStreamNames(liveGraph, impliedStream);
  const differences: GraphDifference[] = [];
  for (const list of nodeLists) {
    const live = nodes(liveGraph[list]);
    const matched = new Set<Node>();
    nodes(declared[list]).forEach((node, index) => {
      const name = streamNames.liveNameOf(node['name']);
      const liveNode = live.find((each) => each['name'] === name);
      const path = [list, index];
      if (liveNode === undefined) {
        // an implicit default stream has no place of its own
        differences.push(
          ...(streamNames.isImplied(node) ? [] : [{ path, reason: 'is not there' }]),
        );
        return;
      }
      matched.add(liveNode);
      for (const [key, value] of Object.entries(node)) {
        const isSame =
          key === 'name' ||
          (key === 'inputNodes'
            ? sameInputs(value, liveNode[key], streamNames.liveNameOf)
            : matchesDeclared(value, liveNode[key]));
        if (!isSame && !streamNames.isImplied(node))
          differences.push({ path: [...path, key], reason: 'differs from what is declared' });
      }
    });
    const undeclared = live.filter((node) => !matched.has(node));
    const moreNames = undeclared.map(({ name }) => `"${String(name)}"`).join(', ');
    const verb = undeclared.length === 1 ? 'is' : 'are';
    if (undeclared.length > 0)
      differences.push({ path: [list], reason: `have ${moreNames}, which ${verb} not declared` });
  }
  const level = declared['compatibilityLevel'];
  if (level !== undefined && !matchesDeclared(level, liveGraph['compatibilityLevel']))
    differences.push({ path: ['compatibilityLevel'], reason: 'differs from what is declared' });
  return differences;
}

/** Names of the default stream, which the service gives another name where none is declared. */
function defaultStreamNames(liveGraph: Node, impliedStream: string | undefined) {
  const live = nodes(liveGraph['streams']).find(({ type }) => type === 'DefaultStream')?.['name'];
  return {
    /** The name in the live graph of the node with a declared name. */
    liveNameOf: (name: unknown): unknown =>
      name === impliedStream && live !== undefined ? live : name,
    /** Whether a node is the default stream that no one declared. */
    isImplied: ({ name }: Node): boolean => impliedStream !== undefined && name === impliedStream,
  };
}

function sameInputs(
  declared: unknown,
  live: unknown,
  liveNameOf: (name: unknown) => unknown,
): boolean {
  const names = (list: unknown): readonly unknown[] => nodes(list).map((node) => node['name']);
  const [declaredNames, liveNames] = [
    new Set(names(declared).map(liveNameOf)),
    new Set(names(live)),
  ];
  return (
    declaredNames.size === liveNames.size && [...declaredNames].every((name) => liveNames.has(name))
  );
}

function nodes(list: unknown): readonly Node[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
