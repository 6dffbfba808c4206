import { invalidContent } from './errors.js';
import type { Json } from './store.js';

/** The value if it is an object; otherwise undefined. */
export function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Json)
    : undefined;
}

/** The objects of a list; undefined and null are an empty list. */
export function readObjects(value: unknown, where: string): Json[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((entry) => asObject(entry) === undefined))
    throw invalidContent(`'${where}' is not a list of objects.`);
  return value as Json[];
}

/** The value if it is non-empty text; otherwise undefined. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number; undefined and null are absent. @throws ArmError 400 for anything else. */
export function readNumber(value: unknown, where: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw invalidContent(`'${where}' is not a number.`);
  return value;
}

/** Properties without nulls, at any depth: null means not set. List elements stay. */
export function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  const object = asObject(value);
  if (object === undefined) return value;
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([name, each]) => [name, withoutNulls(each)]),
  ) as T;
}

/**
 * The entry of a table by a name from a request; undefined also for the names that every object
 * inherits, such as `constructor`.
 */
export function entryOf<T>(
  table: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The object without some of its properties. */
export function omit(object: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** JSON merge patch (RFC 7396): null removes, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  const change = asObject(patch);
  if (change === undefined) return patch;
  const merged: Record<string, unknown> = { ...asObject(target) };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** A text that is the same for equal values, whatever the order of their properties. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) => {
    const object = asObject(each);
    return object === undefined
      ? each
      : Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
