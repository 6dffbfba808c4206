import type { SchemaNode } from './schema-paths.js';

/** Common units, and the platform's units for them. */
const sizeUnits: readonly (readonly [RegExp, string])[] = [
  [/^(\d+(?:\.\d+)?)\s*g(?:i?b|i)?$/i, '$1Gi'],
  [/^(\d+(?:\.\d+)?)\s*m(?:i?b|i)?$/i, '$1Mi'],
];

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', 'no', 'off'].map((word) => [word, false] as const),
]);

/** Common units of time after a number, as multiples of a property's own unit. */
const timeUnits: readonly (readonly [name: RegExp, multiples: Readonly<Record<string, number>>])[] =
  [
    [/Seconds$/, { s: 1, m: 60, h: 3600 }],
    [/Days$/, { d: 1 }],
  ];

/**
 * Corrects a value of the wrong type whose meaning is clear: a number or boolean in quotes, a
 * decimal comma, a number with a unit of time, or a number where text is expected.
 */
export function convertToType(value: unknown, type: SchemaNode['type'], property = ''): unknown {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (typeof value === 'string') {
    const text = value.trim();
    const boolean = booleans.get(text.toLowerCase());
    if (types.includes('boolean') && boolean !== undefined) return boolean;
    const number = numberIn(text, property);
    if (number === undefined) return undefined;
    return types.includes('number') || (types.includes('integer') && Number.isInteger(number))
      ? number
      : undefined;
  }
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return String(value);
  return undefined;
}

function numberIn(text: string, property: string): number | undefined {
  const [, count, unit] = /^(\d+)\s*([a-z])$/.exec(text) ?? [];
  const [, multiples = {}] = timeUnits.find(([name]) => name.test(property)) ?? [];
  if (count !== undefined && unit !== undefined)
    return multiples[unit] === undefined ? undefined : Number(count) * multiples[unit];
  const decimalText = text.replace(/^(-?\d+),(\d+)$/, '$1.$2');
  return decimalText === '' || !Number.isFinite(Number(decimalText))
    ? undefined
    : Number(decimalText);
}

/**
 * Corrects a text that does not match a pattern: removes surrounding spaces, changes the letter
 * case, replaces the unit, or adds the slash at the start of a path.
 */
export function correctToPattern(
  text: string,
  { pattern, maxLength }: SchemaNode & { readonly maxLength?: number },
): string | undefined {
  if (pattern === undefined) return undefined;
  const allowed = new RegExp(pattern, 'u');
  const trimmed = text.trim();
  const inUnits = sizeUnits.flatMap(([form, unit]) =>
    form.test(trimmed) ? [trimmed.replace(form, unit)] : [],
  );
  const candidates = [
    trimmed,
    ...inUnits,
    trimmed.toLowerCase(),
    trimmed.toUpperCase(),
    ...(pattern.startsWith('^/') ? [`/${trimmed}`] : []),
  ];
  return candidates.find(
    (each) => each !== text && allowed.test(each) && each.length <= (maxLength ?? Infinity),
  );
}
