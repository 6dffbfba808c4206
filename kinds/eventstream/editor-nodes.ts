import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DocumentSchema } from './definition/document-schema.js';
import { type NodeList, nodeTypes, nodeNouns } from './nodes/index.js';
import { declaredNodeSchema } from './declared-nodes.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of a node of castellan.yaml for editors: completes the types with their
 * descriptions, and in `properties` what the type needs. Unknown types pass, as in the check.
 */
export function editorNodeSchema(list: NodeList): Schema {
  const { description, anyOf = [] } = declaredNodeSchema(list);
  const types = Object.entries(nodeTypes[list]).map(([word, { meaning }]) => ({
    const: word,
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
      then: plain({ ...member, properties: { ...member.properties, type: {} } }),
    })),
  };
}

/**
 * A schema without our own keywords, where optional values may be null: the service writes null for
 * missing values.
 */
function plain(schema: DocumentSchema): Schema {
  const { properties, items, anyOf, required = [], 'x-instead': instead = {}, ...rest } = schema;
  const replaced = Object.values(instead).flat();
  const remaining = required.filter((name) => !replaced.includes(name));
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => !key.startsWith('x-'))),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          required.includes(name) ? plain(property) : orNull(plain(property)),
        ]),
      ),
    }),
    ...(items !== undefined && { items: plain(items) }),
    ...omitUndefined({ anyOf: anyOf?.map(plain) }),
    ...(remaining.length !== 0 && { required: remaining }),
    ...(replaced.length !== 0 && {
      allOf: Object.entries(instead).map(([other, names]) => ({
        anyOf: [names.filter((each) => required.includes(each)), [other]].map((names) => ({
          type: 'object',
          properties: Object.fromEntries(names.map((each) => [each, {}])),
          required: names,
        })),
      })),
    }),
  };
}

function orNull(schema: Schema): Schema {
  const { type, enum: words, anyOf } = schema;
  if (anyOf !== undefined)
    return { ...schema, anyOf: [...(anyOf as readonly Schema[]), { type: 'null' }] };
  return {
    ...schema,
    ...(type !== undefined && { type: [...new Set([type, 'null'].flat())] }),
    ...(words !== undefined && { enum: [...(words as readonly unknown[]), null] }),
  };
}
