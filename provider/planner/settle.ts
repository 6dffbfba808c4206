import type { Body, Style } from '../schemas/schema.js';
import { isMap, isUnknown, type Value, type ValueMap } from '../values/value.js';
import { elementAt, elementsOf, fieldsOf } from './fields.js';
import { counterpart, sameMeaning } from './same.js';

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
export function settle(
  body: Body,
  style: Style,
  reference: ValueMap | undefined,
  actual: ActualValues,
): ValueMap {
  const entries = fieldsOf(body).map((field): [string, Value] => {
    const { name, attribute, inside } = field;
    const before = reference?.[name] ?? null;
    const now = actual[name];
    if (attribute?.writeOnly === true) return [name, null];
    if (now === undefined) return [name, leftOut(before, inside?.nesting, attribute === undefined)];
    // null for a value that the service (or a default) fills in occurs only after an import: then
    // the service's value is better
    const keeps =
      attribute !== undefined &&
      !isUnknown(before) &&
      !(before === null && attribute.computed === true);
    if (keeps && sameMeaning(attribute, style, before, now)) return [name, before];
    if (inside === undefined || now === null)
      return [
        name,
        now === null && attribute === undefined ? leftOut(null, inside?.nesting, true) : now,
      ];
    const { nesting, body: inner } = inside;
    const entries = elementsOf(now, nesting, []).map(
      ({ value, key }): [string | number | undefined, Value] => {
        if (!isMap(value)) return [key, value];
        const match =
          nesting === 'set'
            ? (counterpart(inner, style, value, before) ??
              plannedValue(inner, style, value, before))
            : elementAt(before, nesting, key);
        return [key, settle(inner, style, isMap(match) ? match : undefined, value)];
      },
    );
    if (nesting === 'single') return [name, entries[0]?.[1] ?? null];
    return [
      name,
      nesting === 'map'
        ? Object.fromEntries(entries.map(([key, value]) => [String(key), value]))
        : entries.map(([, value]) => value),
    ];
  });
  return Object.fromEntries(entries);
}

/**
 * The planned element of a set that matches an actual one: unknown computed values are known now.
 */
function plannedValue(
  body: Body,
  style: Style,
  actual: Value,
  candidates: Value,
): Value | undefined {
  if (!Array.isArray(candidates) || !isMap(actual)) return undefined;
  return (candidates as readonly Value[]).find((candidate) => {
    if (!isMap(candidate)) return false;
    const known = Object.fromEntries(
      Object.entries(actual).filter(([name]) => !isUnknown(candidate[name])),
    );
    const open = Object.fromEntries(
      Object.entries(candidate).map(([name, value]) => [name, isUnknown(value) ? null : value]),
    );
    return (
      counterpart(
        body,
        style,
        {
          ...open,
          ...Object.fromEntries(
            Object.keys(open)
              .filter((name) => !(name in known))
              .map((name) => [name, null]),
          ),
        },
        [{ ...actual }],
      ) !== undefined
    );
  });
}

function leftOut(before: Value, nesting: string | undefined, isBlock: boolean): Value {
  if (!isUnknown(before) && before !== null) return resolve(before);
  return isBlock && nesting !== 'single' ? [] : null;
}

/** A value carried over, in which nothing may stay unknown after an apply. */
function resolve(value: Value): Value {
  if (isUnknown(value)) return null;
  if (Array.isArray(value)) return (value as readonly Value[]).map(resolve);
  return isMap(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolve(each)]))
    : value;
}
