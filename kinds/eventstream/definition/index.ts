import { checkShape } from './check-shape.js';
import type { DefinitionMistake, ShapeOptions } from './check-shape.js';
import { destination, stream } from './destinations.js';
import { operator } from './operators.js';
import { checkReferences } from './references.js';
import { list, oneOf } from './shape.js';
import type { ObjectShape } from './shape.js';
import { source } from './sources.js';

const document: ObjectShape = {
  kind: 'object',
  closed: true,
  required: {},
  optional: {
    sources: list(source),
    streams: list(stream),
    operators: list(operator),
    destinations: list(destination),
    compatibilityLevel: oneOf('1.0', '1.1'),
  },
};

/**
 * Checks an eventstream's topology (`eventstream.json`): the form of every source, stream, operator and destination, unique names,
 * inputs that exist and flow one way.
 *
 * @param value the parsed document.
 * @param options `references: true` lets texts with a Terraform reference stand for ids.
 * @returns every mistake with its path; empty when there is none.
 */
export function validateEventstreamDefinition(value: unknown, options: ShapeOptions = {}): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  checkShape(value, document, [], (path, message) => void mistakes.push({ path, message }), options);
  mistakes.push(...checkReferences(value));
  return mistakes;
}

/** A path as people write it: `operators[0].properties.conditions[1]`; the document itself is `$`. */
export function definitionPath(path: readonly (string | number)[]): string {
  if (path.length === 0) return '$';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

export type { DefinitionMistake, ShapeOptions } from './check-shape.js';
export { nodesOf } from './references.js';
export type { DefinitionNode } from './references.js';
export { sourceTypes } from './sources.js';
export { validateEventstreamProperties } from './stream-properties.js';
