import { isDeepStrictEqual } from 'node:util';

interface Described {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** A value without what its description says of an absent property, and without what is empty then. */
export function withoutDefaults(value: Readonly<Record<string, unknown>>, described: Described): Record<string, unknown> {
  const kept = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const property = described.properties?.[key];
    if (each === undefined || (property?.default !== undefined && isDeepStrictEqual(property.default, each))) return [];
    if (property?.properties === undefined || !isMap(each)) return [[key, each]];
    const inner = withoutDefaults(each, property);
    return Object.keys(inner).length === 0 && Object.keys(each).length > 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(kept);
}

/** Whether a value has properties. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
