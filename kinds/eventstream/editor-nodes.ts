import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DocumentSchema } from './definition/document-schema.js';
import { type NodeListName, nodeTypes, nodeNouns } from './nodes/index.js';
import { declaredNodeSchema } from './declared-nodes.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a node of castellan.yaml for editors: completes the types with their
 * descriptions, and in `properties` what the type needs. Unknown types pass, as in the check.
 */
export function editorNodeSchema(list: NodeListName): Schema {
  const { description, anyOf = [] } = declaredNodeSchema(list);
  const types = Object.entries(nodeTypes[list]).map(([typeName, { meaning }]) => ({
    const: typeName,
    description: meaning,
  }));
  return {
    type: 'object',
    description,
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        description: 'The name of the node, unique in the eventstream.',
      },
      type: {
        description: `The type of ${nodeNouns[list]}.`,
        anyOf: [...types, { type: 'string', minLength: 1 }],
      },
    },
    required: ['name', 'type'],
    allOf: anyOf.map((member) => ({
      if: {
        type: 'object',
        properties: { type: { const: member.properties?.['type']?.const } },
        required: ['type'],
      },
      // the type itself is completed above: a constant here would hide the others
      then: withoutOwnKeywords({ ...member, properties: { ...member.properties, type: {} } }),
    })),
  };
}

/**
 * A schema without our own keywords, where optional values may be null: the service writes null for
 * missing values.
 */
function withoutOwnKeywords(schema: DocumentSchema): Schema {
  const {
    properties,
    items,
    anyOf,
    required = [],
    'x-substitutes': substitutes = {},
    ...otherKeywords
  } = schema;
  const substitutedNames = Object.values(substitutes).flat();
  const stillRequired = required.filter((name) => !substitutedNames.includes(name));
  return {
    ...Object.fromEntries(Object.entries(otherKeywords).filter(([key]) => !key.startsWith('x-'))),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          required.includes(name)
            ? withoutOwnKeywords(property)
            : nullable(withoutOwnKeywords(property)),
        ]),
      ),
    }),
    ...(items !== undefined && { items: withoutOwnKeywords(items) }),
    ...omitUndefined({ anyOf: anyOf?.map(withoutOwnKeywords) }),
    ...(stillRequired.length !== 0 && { required: stillRequired }),
    ...(substitutedNames.length !== 0 && {
      allOf: Object.entries(substitutes).map(([substitute, replaced]) => ({
        anyOf: [replaced.filter((each) => required.includes(each)), [substitute]].map((names) => ({
          type: 'object',
          properties: Object.fromEntries(names.map((each) => [each, {}])),
          required: names,
        })),
      })),
    }),
  };
}

function nullable(schema: Schema): Schema {
  const { type, enum: values, anyOf } = schema;
  if (anyOf !== undefined)
    return { ...schema, anyOf: [...(anyOf as readonly Schema[]), { type: 'null' }] };
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(values !== undefined && { enum: [...(values as readonly unknown[]), null] }),
  };
}
