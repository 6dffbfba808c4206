import type { TerraformStack } from '../cdktf.js';
import { isPlainNumber, isPlainText, resolve } from '../cdktf-internals.js';

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** More than any resource nests; deeper values may be cyclic, which cdktf detects. */
const maxDepth = 50;

const maxCachedKeys = 10_000;
const plainKeys = new Set<string>();

/** Whether a key contains no token, and cdktf gives it no meaning. */
function isPlainKey(key: string): boolean {
  if (plainKeys.has(key)) return true;
  if (key === '__proto__' || key === '_children' || !isPlainText(key)) return false;
  if (plainKeys.size < maxCachedKeys) plainKeys.add(key);
  return true;
}

function isPlainObject(value: object): value is JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is plain data without tokens. */
export function isPlainData(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isPlainText(value);
  if (typeof value === 'number') return isPlainNumber(value);
  if (value === null || value === undefined || typeof value === 'boolean') return true;
  if (typeof value !== 'object' || depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1));
  if (!isPlainObject(value)) return false;
  for (const key in value)
    if (!isPlainKey(key) || !isPlainData(value[key], depth + 1)) return false;
  return true;
}

/** Thrown when cdktf has to resolve the whole value. */
export class UnsupportedValueError extends Error {}

/**
 * Resolves a value: data is copied without undefined values, as cdktf does; cdktf resolves the
 * rest.
 */
export function dataResolver(stack: TerraformStack): (value: unknown, depth: number) => unknown {
  const resolveByCdktf = (value: unknown): unknown => {
    const resolved: unknown = resolve(stack, value);
    // cdktf would resolve the result once more
    if (!isPlainData(resolved)) throw new UnsupportedValueError();
    return resolved;
  };
  const copy = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return isPlainText(value) ? value : resolveByCdktf(value);
    if (typeof value === 'number') return isPlainNumber(value) ? value : resolveByCdktf(value);
    if (value === null || typeof value !== 'object') {
      if (value === null || value === undefined || typeof value === 'boolean') return value;
      throw new UnsupportedValueError();
    }
    if (depth > maxDepth) throw new UnsupportedValueError();
    if (Array.isArray(value)) return copyList(value, depth);
    return isPlainObject(value) && Object.keys(value).every(isPlainKey)
      ? copyObject(value, depth)
      : resolveByCdktf(value);
  };
  const copyList = (list: readonly unknown[], depth: number): unknown => {
    if ((list as object).constructor !== Array) throw new UnsupportedValueError(); // an override has added a property of that name to the list
    // a token in it may stand for the whole list
    if (
      list.some(
        (item) =>
          (typeof item === 'string' && !isPlainText(item)) ||
          (typeof item === 'number' && !isPlainNumber(item)),
      )
    )
      return resolveByCdktf(list);
    const items: unknown[] = [];
    for (const item of list) {
      const resolved = copy(item, depth + 1);
      if (resolved !== undefined) items.push(resolved);
    }
    return items;
  };
  const copyObject = (object: JsonObject, depth: number): JsonObject => {
    const result: JsonObject = {};
    for (const key in object) {
      const resolved = copy(object[key], depth + 1);
      if (resolved !== undefined) result[key] = resolved;
    }
    return result;
  };
  return copy;
}
