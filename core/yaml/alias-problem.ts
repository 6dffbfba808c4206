import type { Problem } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';
import type { YamlNode } from './node.js';

/** The most values in a document after its aliases are resolved. */
const maxValues = 1_000_000;

/**
 * The mistakes in a document's aliases: one that contains itself, or aliases of aliases that expand
 * exponentially.
 */
export function aliasProblem(root: YamlNode, source: SourceText): Problem | undefined {
  return detectAliasCycle(root, source, new Set()) ?? detectAliasExpansion(root, source);
}

function detectAliasCycle(
  node: YamlNode,
  source: SourceText,
  ancestors: Set<unknown>,
): Problem | undefined {
  if (node.kind === 'alias' && ancestors.has(node.value)) {
    const name = source.text.slice(node.start, node.end);
    return {
      id: 'config-alias',
      message: `the alias ${name} is inside what it refers to: write the value instead`,
      location: source.location(node.start, node.end),
    };
  }
  if (node.children.length === 0) return undefined;
  ancestors.add(node.value);
  for (const child of node.children) {
    const problem = detectAliasCycle(child, source, ancestors);
    if (problem !== undefined) return problem;
  }
  ancestors.delete(node.value);
  return undefined;
}

function detectAliasExpansion(root: YamlNode, source: SourceText): Problem | undefined {
  const sizes = new Map<unknown, number>();
  let excessiveNode: YamlNode | undefined;
  const measure = (node: YamlNode): number => {
    if (node.kind === 'alias') return sizes.get(node.value) ?? 1;
    let size = 1;
    for (const child of node.children) size += measure(child);
    if (node.children.length > 0) sizes.set(node.value, size);
    if (size > maxValues) excessiveNode ??= node;
    return size;
  };
  const size = measure(root);
  if (excessiveNode === undefined) return undefined;
  const values =
    size > Number.MAX_SAFE_INTEGER ? 'more values than can be counted' : `${String(size)} values`;
  return {
    id: 'config-alias',
    message: `aliases of aliases make ${values} here; at most ${String(maxValues)} are read`,
    location: source.location(excessiveNode.start),
  };
}
