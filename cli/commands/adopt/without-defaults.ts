import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/values/is-object.js';

/** A JSON Schema, of which only defaults and properties matter here. */
interface SchemaNode {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** A value without its schema's defaults and without objects that are empty then. */
export function withoutDefaults(
  value: Readonly<Record<string, unknown>>,
  schema: SchemaNode,
): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const property = schema.properties?.[key];
    if (
      each === undefined ||
      (property?.default !== undefined && isDeepStrictEqual(property.default, each))
    )
      return [];
    if (property?.properties === undefined || !isObject(each)) return [[key, each]];
    const inner = withoutDefaults(each, property);
    return Object.keys(inner).length === 0 && Object.keys(each).length > 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}
