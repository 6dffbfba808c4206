import type { BlockSchema, ProviderSdk } from '../schemas/schema.js';
import { isMap, isUnknown, type Value, type ValueMap } from '../values/value.js';
import { elementAt, elementsOf, type SchemaField, fieldsOf } from './schema-fields.js';
import { matchingElement, areEquivalent } from './equivalence.js';

/**
 * A handler's result: attributes with the service's values. The service does not store omitted
 * ones: they stay as they were.
 */
export type ActualValues = { readonly [name: string]: Value | undefined };

/**
 * The state after an apply or a read: the service's values, in the equivalent spelling of the plan
 * or state. This avoids changes between equivalent values ("" and null, "West Europe" and
 * "westeurope") and detects drift.
 */
export function newStateOf(
  body: BlockSchema,
  sdk: ProviderSdk,
  reference: ValueMap | undefined,
  actual: ActualValues,
): ValueMap {
  const entries = fieldsOf(body).map((field): [string, Value] => [
    field.name,
    fieldState(field, sdk, reference?.[field.name] ?? null, actual[field.name]),
  ]);
  return Object.fromEntries(entries);
}

/**
 * The state of one field.
 *
 * @param before its value in the plan or the state.
 * @param actual the service's value.
 */
function fieldState(
  { attribute, nested }: SchemaField,
  sdk: ProviderSdk,
  before: Value,
  actual: Value | undefined,
): Value {
  if (attribute?.writeOnly === true) return null;
  const isBlock = attribute === undefined;
  if (actual === undefined) return omittedValue(before, nested?.nesting, isBlock);
  // a value that the service (or a default) fills in is null here only after an import: then the
  // service's value is better
  const isFilledIn = before === null && attribute?.computed === true;
  if (
    !isBlock &&
    !isUnknown(before) &&
    !isFilledIn &&
    areEquivalent(attribute, sdk, before, actual)
  )
    return before;
  if (actual === null) return isBlock ? omittedValue(null, nested?.nesting, true) : null;
  return nested === undefined ? actual : elementStates(nested, sdk, before, actual);
}

/** The state of a nested value: each element is compared with its counterpart in `before`. */
function elementStates(
  { nesting, body }: NonNullable<SchemaField['nested']>,
  sdk: ProviderSdk,
  before: Value,
  actual: Value,
): Value {
  const findCounterpart = (value: ValueMap, key: string | number | undefined): Value | undefined =>
    nesting === 'set'
      ? (matchingElement(body, sdk, value, before) ??
        matchingPlannedElement(body, sdk, value, before))
      : elementAt(before, nesting, key);
  const elements = elementsOf(actual, nesting, []).map(({ value, key }) => {
    if (!isMap(value)) return { key, value };
    const match = findCounterpart(value, key);
    return { key, value: newStateOf(body, sdk, isMap(match) ? match : undefined, value) };
  });
  if (nesting === 'single') return elements[0]?.value ?? null;
  return nesting === 'map'
    ? Object.fromEntries(elements.map(({ key, value }) => [String(key), value]))
    : elements.map(({ value }) => value);
}

/**
 * The planned element of a set that matches an actual one: unknown computed values are known now.
 */
function matchingPlannedElement(
  body: BlockSchema,
  sdk: ProviderSdk,
  actual: Value,
  candidates: Value,
): Value | undefined {
  if (!Array.isArray(candidates) || !isMap(actual)) return undefined;
  return (candidates as readonly Value[]).find((candidate) => {
    if (!isMap(candidate)) return false;
    // unknown values, and those that the service leaves out, count as unset
    const planned = Object.entries(candidate).map(([name, value]) => {
      const countsAsUnset = isUnknown(value) || !(name in actual);
      return [name, countsAsUnset ? null : value] as const;
    });
    return matchingElement(body, sdk, Object.fromEntries(planned), [actual]) !== undefined;
  });
}

function omittedValue(before: Value, nesting: string | undefined, isBlock: boolean): Value {
  if (!isUnknown(before) && before !== null) return replaceUnknowns(before);
  return isBlock && nesting !== 'single' ? [] : null;
}

/** A value carried over, in which nothing may stay unknown after an apply. */
function replaceUnknowns(value: Value): Value {
  if (isUnknown(value)) return null;
  if (Array.isArray(value)) return (value as readonly Value[]).map(replaceUnknowns);
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaceUnknowns(each)]))
    : value;
}
