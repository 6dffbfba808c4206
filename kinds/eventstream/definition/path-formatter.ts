import { isObject } from '../../../core/values/is-object.js';
import { nodesOf } from './references.js';

/**
 * Writes a path of a document for people: `nodes.big.properties.conditions[1]`, by the name of the
 * node if it is unique, otherwise `operators[0].name`; the document itself is `$`.
 */
export function createPathFormatter(
  document: unknown,
): (path: readonly (string | number)[]) => string {
  let nameCounts: Map<string, number> | undefined;
  return (path) => {
    const [list, index, ...propertyPath] = path;
    if (list === undefined) return '$';
    const name = typeof index === 'number' ? nameAt(document, list, index) : undefined;
    nameCounts ??= countNames(document);
    if (name === undefined || nameCounts.get(name) !== 1) return plainPath(path);
    return plainPath(['nodes', name, ...propertyPath]);
  };
}

function nameAt(document: unknown, list: string | number, index: number): string | undefined {
  const nodes: unknown = isObject(document) ? document[list] : undefined;
  const node: unknown = Array.isArray(nodes) ? nodes[index] : undefined;
  return isObject(node) && typeof node['name'] === 'string' && node['name'] !== ''
    ? node['name']
    : undefined;
}

function countNames(document: unknown): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of nodesOf(document)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function plainPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
