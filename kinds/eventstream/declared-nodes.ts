import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DocumentSchema } from './definition/document-schema.js';
import { type NodeListName, type NodeType, nodeTypes, nodeNouns } from './nodes/index.js';
import { inputSchemas } from './nodes/shared-schemas.js';

const name: DocumentSchema = {
  type: 'string',
  minLength: 1,
  description: 'The name of the node, unique in the eventstream.',
};
const inputNode: DocumentSchema = {
  'x-name': 'EventstreamInput',
  anyOf: [
    { type: 'string', minLength: 1 },
    { type: 'object', properties: { name }, required: ['name'] },
  ],
  description: 'A node by its name, or { name }.',
};
const eventhouse: DocumentSchema = {
  type: 'string',
  minLength: 1,
  description:
    'The eventhouse of this stack, or the id of one that exists, in place of the ids in `properties`.',
};

/**
 * A node of a list as written in castellan.yaml: of a known type, or of another one without
 * requirements.
 */
export function declaredNodeSchema(list: NodeListName): DocumentSchema {
  const noun = nodeNouns[list];
  return {
    type: 'object',
    description:
      list === 'sources' || list === 'destinations'
        ? `A ${noun}: where events ${list === 'sources' ? 'come from' : 'go'}.`
        : `A ${noun}.`,
    'x-discriminator': 'type',
    'x-open': true,
    anyOf: Object.entries(nodeTypes[list]).map(([typeName, type]) =>
      nodeTypeSchema(list, typeName, type),
    ),
  };
}

function nodeTypeSchema(list: NodeListName, typeName: string, type: NodeType): DocumentSchema {
  const properties = withOptionalDefaults(
    type.properties as DocumentSchema,
    type.propertiesFilledIn ?? [],
  );
  const { min, from } = type.inputs;
  const hasDefaultInput = list === 'destinations';
  const needsInputs = min !== undefined && !hasDefaultInput;
  const inputNodes: DocumentSchema = {
    type: 'array',
    items: inputNode,
    ...omitUndefined({ minItems: min }),
    description: `The ${from.join(', ')} that it reads.${hasDefaultInput ? ' Default: the default stream.' : ''}`,
  };
  return {
    type: 'object',
    description: type.meaning,
    properties: {
      name,
      type: { const: typeName },
      ...(from.length !== 0 && { inputNodes }),
      ...(type.propertiesFilledIn !== undefined && { eventhouse }),
      properties,
      ...(list !== 'streams' && { inputSchemas: inputSchemas() as DocumentSchema }),
    },
    required: [
      'name',
      'type',
      ...(needsInputs ? ['inputNodes'] : []),
      ...(needsProperties(properties) ? ['properties'] : []),
    ],
  };
}

function needsProperties({ required = [], anyOf }: DocumentSchema): boolean {
  return anyOf === undefined ? required.length > 0 : anyOf.every(needsProperties);
}

/**
 * The schema in which properties that castellan fills in are optional. If the schema is a choice,
 * its discriminator can be omitted in the first alternative only.
 */
function withOptionalDefaults(
  schema: DocumentSchema,
  propertiesFilledIn: readonly string[],
): DocumentSchema {
  if (propertiesFilledIn.length === 0) return schema;
  const { anyOf, 'x-discriminator': discriminator } = schema;
  if (anyOf === undefined)
    return {
      ...schema,
      required: (schema.required ?? []).filter((each) => !propertiesFilledIn.includes(each)),
    };
  const members = anyOf.map((each, index) =>
    withOptionalDefaults(
      each,
      index === 0
        ? propertiesFilledIn
        : propertiesFilledIn.filter((name) => name !== discriminator),
    ),
  );
  return { ...schema, anyOf: members };
}
