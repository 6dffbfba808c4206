import type { SchemaNode } from './schema-paths.js';

/** Units that people write, and the ones that the platform takes. */
const units: readonly (readonly [RegExp, string])[] = [
  [/^(\d+(?:\.\d+)?)\s*g(?:i?b|i)?$/i, '$1Gi'],
  [/^(\d+(?:\.\d+)?)\s*m(?:i?b|i)?$/i, '$1Mi'],
];

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'off'].map((word) => [word, false] as const),
]);

/** Units of time that people write behind a number, and how many of a property's own unit they are. */
const durations: readonly (readonly [name: RegExp, units: Readonly<Record<string, number>>])[] = [
  [/Seconds$/, { s: 1, m: 60, h: 3600 }],
  [/Days$/, { d: 1 }],
];

/**
 * A value of the wrong type that says the right thing: a number or a boolean in quotes, a decimal comma, a number with a unit of time, or a
 * number where text is wanted.
 */
export function ofType(value: unknown, type: SchemaNode['type'], property = ''): unknown {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (typeof value === 'string') {
    const text = value.trim();
    const word = booleans.get(text.toLowerCase());
    if (types.includes('boolean') && word !== undefined) return word;
    const number = numberIn(text, property);
    if (number === undefined) return undefined;
    return types.includes('number') || (types.includes('integer') && Number.isInteger(number)) ? number : undefined;
  }
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return undefined;
}

function numberIn(text: string, property: string): number | undefined {
  const [, count, unit] = /^(\d+)\s*([a-z])$/.exec(text) ?? [];
  const [, units = {}] = durations.find(([name]) => name.test(property)) ?? [];
  if (count !== undefined && unit !== undefined) return units[unit] === undefined ? undefined : Number(count) * units[unit];
  const plain = text.replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return plain === '' || !Number.isFinite(Number(plain)) ? undefined : Number(plain);
}

/**
 * A text that a pattern refuses, as it was probably meant: without blanks around it, in another case, with the unit of the platform, or
 * with the slash that a path begins with.
 */
export function fitting(text: string, { pattern, maxLength }: SchemaNode & { readonly maxLength?: number }): string | undefined {
  if (pattern === undefined) return undefined;
  const allowed = new RegExp(pattern, 'u');
  const word = text.trim();
  const inUnits = units.flatMap(([form, unit]) => (form.test(word) ? [word.replace(form, unit)] : []));
  const candidates = [word, ...inUnits, word.toLowerCase(), word.toUpperCase(), ...(pattern.startsWith('^/') ? [`/${word}`] : [])];
  return candidates.find((each) => each !== text && allowed.test(each) && each.length <= (maxLength ?? Infinity));
}
