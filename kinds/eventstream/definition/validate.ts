import { nearest } from '../../../core/text/nearest.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { nodeTypes, nodeNouns } from '../nodes/index.js';
import { checkSchema, type DefinitionMistake, type CheckSchemaOptions } from './check-schema.js';
import { documentSchema } from './document-schema.js';
import { checkReferences, nodesOf } from './references.js';

/**
 * Checks an eventstream's topology (`eventstream.json`): every source, stream, operator and
 * destination has what its type needs, names are unique, inputs exist, are allowed there and flow
 * one way. Nodes of unknown types are not checked, since the service gains types;
 * {@link unknownNodeTypes} lists them.
 *
 * @param value the parsed document.
 * @param options `acceptsReferences: true` accepts texts with a Terraform reference as ids.
 * @returns every mistake with its path; empty when there is none.
 */
export function validateEventstreamDefinition(
  value: unknown,
  options: CheckSchemaOptions = {},
): DefinitionMistake[] {
  const mistakes: DefinitionMistake[] = [];
  checkSchema(
    value,
    documentSchema(),
    (path, message, suggestion) =>
      void mistakes.push({ path, message, ...omitUndefined({ suggestion }) }),
    options,
  );
  mistakes.push(...checkReferences(value));
  return mistakes;
}

/** A node whose type isn't described. */
export interface UnknownNodeType {
  /** The path of its `type` in the document. */
  readonly path: readonly (string | number)[];
  /** The list's singular: source, stream, operator or destination. */
  readonly what: string;
  readonly type: string;
  /** The described type with the most similar name. */
  readonly suggestion: string | undefined;
}

/** The nodes of unknown types: newer than this version, or misspelt. */
export function unknownNodeTypes(document: unknown): readonly UnknownNodeType[] {
  return nodesOf(document)
    .filter(
      ({ list, type }) =>
        type !== '' && !Object.hasOwn(nodeTypes[list], type) && !type.includes('${'),
    )
    .map(({ list, index, type }) => ({
      path: [list, index, 'type'],
      what: nodeNouns[list],
      type,
      suggestion: nearest(type, Object.keys(nodeTypes[list])),
    }));
}
