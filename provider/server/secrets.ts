import type { BlockSchema } from '../schemas/schema.js';
import { Dynamic, isList, isMap, type Value, type ValueMap } from '../values/value.js';
import { elementsOf, fieldsOf } from '../planner/schema-fields.js';

/** Shorter texts are too common to be masked in messages. */
const minMaskedLength = 4;

/**
 * The secret texts in values of a schema: of sensitive and write-only attributes, longest first.
 */
export function secretTexts(
  schema: BlockSchema,
  ...values: readonly (Value | undefined)[]
): string[] {
  const secrets = new Set<string>();
  for (const value of values) collectSecrets(schema, value, secrets);
  return [...secrets].sort((a, b) => b.length - a.length);
}

function collectSecrets(schema: BlockSchema, value: Value | undefined, secrets: Set<string>): void {
  if (!isMap(value)) return;
  for (const field of fieldsOf(schema)) {
    const fieldValue = value[field.name] ?? null;
    if (field.attribute?.sensitive === true || field.attribute?.writeOnly === true)
      collectTexts(fieldValue, secrets);
    else if (field.nested !== undefined)
      for (const element of elementsOf(fieldValue, field.nested.nesting, []))
        collectSecrets(field.nested.body, element.value, secrets);
  }
}

function collectTexts(value: Value, secrets: Set<string>): void {
  if (typeof value === 'string' && value.length >= minMaskedLength) secrets.add(value);
  else if (value instanceof Dynamic) collectTexts(value.value, secrets);
  else if (isList(value)) for (const each of value) collectTexts(each, secrets);
  else if (isMap(value)) for (const each of Object.values(value)) collectTexts(each, secrets);
}

/**
 * Replaces secrets in values of a schema by null: the identity of an object whose secrets change.
 */
export function withoutSecrets(schema: BlockSchema, values: ValueMap): ValueMap {
  const result: Record<string, Value> = { ...values };
  for (const { name, attribute, nested } of fieldsOf(schema)) {
    const value = values[name] ?? null;
    const removeSecrets = (each: Value): Value =>
      isMap(each) && nested !== undefined ? withoutSecrets(nested.body, each) : each;
    if (attribute?.sensitive === true || attribute?.writeOnly === true) result[name] = null;
    else if (nested === undefined) continue;
    else if (isList(value)) result[name] = value.map(removeSecrets);
    else if (isMap(value) && nested.nesting === 'map')
      result[name] = Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, removeSecrets(each)]),
      );
    else result[name] = removeSecrets(value);
  }
  return result;
}
