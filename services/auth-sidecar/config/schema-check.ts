import { isObject } from '../../../core/values/is-object.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import type { JsonSchema } from '../../../kinds/auth/auth-configs.js';
import type { ConfigProblem } from './problems.js';

/**
 * Validates a value by a schema with the few keywords that the configuration's schema uses: type,
 * properties, additionalProperties, items, enum, const, required, minimum. A general validator
 * would cost each sidecar 12 MB and a tenth of a second at start.
 *
 * @param place dotted path of the value, empty for the root.
 */
export function checkSchema(schema: JsonSchema, value: unknown, place = ''): ConfigProblem[] {
  const {
    type,
    const: only,
    enum: allowed,
    minimum,
  } = schema as {
    readonly type?: string;
    readonly const?: unknown;
    readonly enum?: readonly string[];
    readonly minimum?: number;
  };
  const wrong = (message: string): ConfigProblem[] => [
    { property: place === '' ? 'properties' : place, message },
  ];
  if (type !== undefined && !isOfType(value, type))
    return wrong(`must be ${type === 'array' ? 'a list' : `of type ${type}`}`);
  if (only !== undefined && value !== only) return wrong(`must be ${String(only)}`);
  if (allowed !== undefined && !allowed.includes(String(value))) {
    return wrong(
      `must be one of ${allowed.join(', ')}${didYouMean(nearest(String(value), allowed))}`,
    );
  }
  if (minimum !== undefined && (value as number) < minimum)
    return wrong(`must be at least ${minimum}`);
  const inner = (key: string): string => (place === '' ? key : `${place}.${key}`);
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      checkSchema(schema['items'] as JsonSchema, item, inner(String(index))),
    );
  return isObject(value) ? checkProperties(schema, value, inner) : [];
}

function checkProperties(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  inner: (key: string) => string,
): ConfigProblem[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const others = schema['additionalProperties'] as JsonSchema | false;
  const missing = ((schema['required'] ?? []) as readonly string[]).filter(
    (key) => !(key in value),
  );
  return [
    ...missing.map((key) => ({ property: inner(key), message: 'is required' })),
    ...Object.entries(value).flatMap(([key, each]) => {
      const schema = Object.hasOwn(properties, key) ? properties[key] : others;
      return schema
        ? checkSchema(schema, each, inner(key))
        : [unknownKey(inner(key), key, Object.keys(properties))];
    }),
  ];
}

/** The problem of an unknown key, with a suggestion. */
export function unknownKey(
  property: string,
  key: string,
  allowed: readonly string[],
): ConfigProblem {
  return {
    property,
    message: `is not a known property${didYouMean(nearest(key, allowed), '', ',')}`,
  };
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
