import type { DocumentSchema } from './definition/document-schema.js';
import type { NodeType } from './nodes/index.js';

/**
 * A node on the reference page: its name and type, its inputs, and the properties that it needs.
 */
export interface ExampleNode {
  readonly name: string;
  readonly type: string;
  readonly inputNodes?: readonly string[];
  readonly properties?: unknown;
}

/** The shortest valid node of a type, with example values from its description. */
export function exampleNode(typeName: string, type: NodeType): ExampleNode {
  const { inputs, propertiesFilledIn = [] } = type;
  const properties = exampleOf(
    type.properties as DocumentSchema,
    'properties',
    new Set(propertiesFilledIn),
  ) as Readonly<Record<string, unknown>>;
  const names = inputs.from.includes('streams')
    ? ['clicks-stream', 'orders-stream']
    : ['web', 'shop'];
  const inputNodes = inputs.from.length === 0 ? [] : names.slice(0, Math.max(1, inputs.min ?? 0));
  return {
    name: 'example',
    type: typeName,
    ...(inputNodes.length !== 0 && { inputNodes }),
    ...(Object.keys(properties).length !== 0 && { properties }),
  };
}

const exampleGuid = '11111111-2222-4333-8444-555555555555';

/** An example of a value: in its description (`such as …`), else one of its type, else its name. */
function exampleOf(
  schema: DocumentSchema,
  name: string,
  propertiesFilledIn: ReadonlySet<string> = new Set(),
): unknown {
  const {
    const: constant,
    enum: values,
    default: defaultValue,
    pattern,
    minimum,
    items,
    anyOf,
    properties = {},
    required = [],
  } = schema;
  if (constant !== undefined) return constant;
  if (values !== undefined) return defaultValue ?? values[0];
  const [alternative] = anyOf ?? [];
  if (alternative !== undefined) return exampleOf(alternative, name);
  if (items !== undefined) return [exampleOf(items, name.replace(/s$/, ''))];
  if (pattern !== undefined) return exampleGuid; // only GUIDs have patterns
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'boolean') return defaultValue ?? true;
  if (type === 'integer' || type === 'number') return defaultValue ?? minimum ?? 1;
  if (type !== 'object' && schema.properties === undefined)
    return /such as ([^\s,;]+?)[.,;]?(?:\s|$)/.exec(schema.description ?? '')?.[1] ?? name;
  const entries = Object.entries(properties).filter(
    ([key]) => required.includes(key) && !propertiesFilledIn.has(key),
  );
  return Object.fromEntries(entries.map(([key, each]) => [key, exampleOf(each, key)]));
}
