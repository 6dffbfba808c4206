import { isObject } from '../../../core/values/is-object.js';
import type { Json } from '../../values/json.js';

/** Options of comparing a declared body with the service's. */
export interface CompareOptions {
  /** Texts that differ only in letter case count as equal. */
  readonly ignoreCasing: boolean;
  /** Properties that the service omits count as equal: secrets are never returned. */
  readonly ignoreMissing: boolean;
  /** A declared null counts as equal to any value. */
  readonly ignoreNull: boolean;
}

/**
 * The part of the service's body that is declared: only declared properties, with the service's
 * values where they differ. Equal to the declared body exactly if the service satisfies it.
 */
export function pickDeclared(
  declared: Json,
  actual: Json | undefined,
  options: CompareOptions,
): Json {
  if (isObject(declared) && isObject(actual))
    return Object.fromEntries(
      Object.entries(declared).flatMap(([name, value]): [string, Json][] => {
        if (value === null && options.ignoreNull) return [[name, null]];
        const actualValue = ownMember(actual, name);
        if (actualValue !== undefined && actualValue !== null)
          return [[name, pickDeclared(value, actualValue, options)]];
        return options.ignoreMissing || value === null ? [[name, value]] : [];
      }),
    );
  if (isArray(declared) && isArray(actual))
    return declared.length === actual.length
      ? declared.map((each, index) => pickDeclared(each, actual[index], options))
      : actual;
  if (
    typeof declared === 'string' &&
    typeof actual === 'string' &&
    options.ignoreCasing &&
    declared.toLowerCase() === actual.toLowerCase()
  )
    return declared;
  return actual === undefined ? declared : actual;
}

/** Whether the service has all declared values. */
export function isSatisfiedBy(declared: Json, actual: Json, options: CompareOptions): boolean {
  return isSameJson(pickDeclared(declared, actual, options), declared);
}

/** Whether two documents are equal, regardless of the order of properties. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (isArray(a) && isArray(b))
    return a.length === b.length && a.every((each, index) => isSameJson(each, b[index]));
  if (isObject(a) && isObject(b))
    return (
      Object.keys(a).length === Object.keys(b).length &&
      Object.keys(a).every(
        (name) => Object.hasOwn(b, name) && isSameJson(ownMember(a, name), ownMember(b, name)),
      )
    );
  return a === b;
}

/** Merges two bodies: objects by member, otherwise the second one wins. */
export function mergeBodies(base: Json, overrides: Json): Json {
  if (!isObject(base) || !isObject(overrides)) return overrides;
  const merged = Object.entries(overrides).map(([name, value]): [string, Json] => [
    name,
    mergeBodies(ownMember(base, name) ?? null, value),
  ]);
  return Object.fromEntries([...Object.entries(base), ...merged]);
}

/** The value at a dotted path in a document, such as `properties.login.tokenStore`. */
export function valueAt(document: Json | undefined, path: string): Json | undefined {
  let value = document;
  for (const name of path.split('.')) {
    if (isObject(value)) value = ownMember(value, name);
    else value = isArray(value) ? value[Number(name)] : undefined;
  }
  return value;
}

/** An own member of the document: `constructor` and `__proto__` are names like any other. */
function ownMember(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Whether a document is a list, also for the type of its elements. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
