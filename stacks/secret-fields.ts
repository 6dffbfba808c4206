import { stackSchema } from '../policies/schemas/index.js';

type Path = readonly (string | number)[];

interface SchemaNode {
  readonly 'x-secret'?: boolean;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
}

/**
 * Every text of a configuration, mapped: with its path, and whether its field holds a reference to a secret. The schema says which
 * fields do, so that a field that is added there is never forgotten here.
 */
export function mapTexts<Value>(value: Value, map: (text: string, path: Path, isSecret: boolean) => string): Value {
  return walk(value, stackSchema as SchemaNode, [], map) as Value;
}

function walk(
  value: unknown,
  schema: SchemaNode | undefined,
  path: Path,
  map: (text: string, path: Path, isSecret: boolean) => string,
): unknown {
  if (typeof value === 'string') return map(value, path, schema?.['x-secret'] === true);
  if (Array.isArray(value)) return value.map((each: unknown, index) => walk(each, schema?.items, [...path, index], map));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, walk(each as unknown, childOf(schema, key), [...path, key], map)]),
  );
}

function childOf(schema: SchemaNode | undefined, key: string): SchemaNode | undefined {
  if (schema?.properties !== undefined && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  const pattern = Object.entries(schema?.patternProperties ?? {}).find(([each]) => new RegExp(each).test(key));
  return pattern?.[1] ?? (typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined);
}
