import { isObject } from '../../../core/values/is-object.js';
import { didYouMean, nearest } from '../../../core/text/nearest.js';
import type { JsonSchema } from '../../../kinds/auth/auth-configs.js';
import type { ConfigProblem } from './problems.js';

/**
 * Validates a value by a JSON Schema with the keywords that the configuration's schema uses: type,
 * properties, additionalProperties, items, enum, const, required, minimum. A general validator
 * would make each sidecar start later and larger.
 *
 * @param path dotted path of the value, empty for the root.
 */
export function checkSchema(schema: JsonSchema, value: unknown, path = ''): ConfigProblem[] {
  const {
    type,
    const: constant,
    enum: allowed,
    minimum,
  } = schema as {
    readonly type?: string;
    readonly const?: unknown;
    readonly enum?: readonly string[];
    readonly minimum?: number;
  };
  const problem = (message: string): ConfigProblem[] => [
    { property: path === '' ? 'properties' : path, message },
  ];
  if (type !== undefined && !isOfType(value, type))
    return problem(`must be ${type === 'array' ? 'a list' : `of type ${type}`}`);
  if (constant !== undefined && value !== constant) return problem(`must be ${String(constant)}`);
  if (allowed !== undefined && !allowed.includes(String(value))) {
    return problem(
      `must be one of ${allowed.join(', ')}${didYouMean(nearest(String(value), allowed))}`,
    );
  }
  if (minimum !== undefined && (value as number) < minimum)
    return problem(`must be at least ${minimum}`);
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      checkSchema(schema['items'] as JsonSchema, item, pathOf(String(index))),
    );
  return isObject(value) ? checkProperties(schema, value, pathOf) : [];
}

function checkProperties(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  pathOf: (key: string) => string,
): ConfigProblem[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const additional = schema['additionalProperties'] as JsonSchema | false;
  const missing = ((schema['required'] ?? []) as readonly string[]).filter(
    (key) => !(key in value),
  );
  return [
    ...missing.map((key) => ({ property: pathOf(key), message: 'is required' })),
    ...Object.entries(value).flatMap(([key, each]) => {
      const keySchema = Object.hasOwn(properties, key) ? properties[key] : additional;
      return keySchema
        ? checkSchema(keySchema, each, pathOf(key))
        : [unknownKey(pathOf(key), key, Object.keys(properties))];
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
