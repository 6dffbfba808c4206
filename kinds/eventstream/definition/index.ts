import { nearest } from '../../../core/text/nearest.js';
import { isObject } from '../../../core/values/is-object.js';
import { nodeTypes, nodeWords } from '../nodes/index.js';
import { checkSchema, type DefinitionMistake, type ReadingOptions } from './check-schema.js';
import { documentSchema } from './document-schema.js';
import { checkReferences, nodesOf } from './references.js';

/**
 * Checks an eventstream's topology (`eventstream.json`): every source, stream, operator and destination has what its type needs, names
 * are unique, inputs exist, may be wired there and flow one way. Of a type that isn't described nothing is demanded: the service gains
 * types; {@link unknownNodeTypes} names them.
 *
 * @param value the parsed document.
 * @param options `references: true` accepts texts with a Terraform reference as ids.
 * @returns every mistake with its path; empty when there is none.
 */
export function validateEventstreamDefinition(value: unknown, options: ReadingOptions = {}): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  checkSchema(
    value,
    documentSchema(),
    (path, message, suggestion) => void mistakes.push({ path, message, ...(suggestion && { suggestion }) }),
    options,
  );
  mistakes.push(...checkReferences(value));
  return mistakes;
}

/** A node whose type isn't described. */
export interface UnknownNodeType {
  readonly path: readonly (string | number)[];
  /** What such a node is called: source, stream, operator or destination. */
  readonly what: string;
  readonly type: string;
  /** The described type with the most similar name. */
  readonly suggestion: string | undefined;
}

/** The nodes whose type isn't described: newer than this version, or misspelt. */
export function unknownNodeTypes(document: unknown): readonly UnknownNodeType[] {
  return nodesOf(document)
    .filter(({ list, type }) => type !== '' && !Object.hasOwn(nodeTypes[list], type) && !type.includes('${'))
    .map(({ list, index, type }) => ({
      path: [list, index, 'type'],
      what: nodeWords[list],
      type,
      suggestion: nearest(type, Object.keys(nodeTypes[list])),
    }));
}

/**
 * Words paths of a document as people write them: `nodes.big.properties.conditions[1]`, by the name of the node where no other node
 * has that name, else `operators[0].name`; the document itself is `$`.
 */
export function pathWords(document: unknown): (path: readonly (string | number)[]) => string {
  let names: Map<string, number> | undefined;
  return (path) => {
    const [list, index, ...rest] = path;
    if (list === undefined) return '$';
    const name = typeof index === 'number' ? nameAt(document, list, index) : undefined;
    names ??= countNames(document);
    if (name === undefined || names.get(name) !== 1) return plainPath(path);
    return plainPath(['nodes', name, ...rest]);
  };
}

function nameAt(document: unknown, list: string | number, index: number): string | undefined {
  const nodes: unknown = isObject(document) ? document[list] : undefined;
  const node: unknown = Array.isArray(nodes) ? nodes[index] : undefined;
  return isObject(node) && typeof node['name'] === 'string' && node['name'] !== '' ? node['name'] : undefined;
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

export type { DefinitionMistake, ReadingOptions } from './check-schema.js';
export { nodesOf } from './references.js';
export type { DefinitionNode } from './references.js';
export { validateEventstreamProperties } from './stream-properties.js';
