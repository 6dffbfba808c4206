import type { SchemaNode } from './schema-paths.js';

/** Units that people write, and the ones that the platform takes. */
const units: readonly (readonly [RegExp, string])[] = [
  [/^(\d+(?:\.\d+)?)\s*(?:GB|GiB|G|gb|gib|gi|g)$/, '$1Gi'],
  [/^(\d+(?:\.\d+)?)\s*(?:MB|MiB|M|mb|mib|mi|m)$/, '$1Mi'],
];

/** A value of the wrong type that says the right thing: a number or a boolean in quotes, or a number where text is wanted. */
export function ofType(given: unknown, type: SchemaNode['type']): unknown {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  if (typeof given === 'string') {
    const text = given.trim();
    if (types.includes('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    if (text === '' || !Number.isFinite(Number(text))) return undefined;
    if (types.includes('number')) return Number(text);
    return types.includes('integer') && Number.isInteger(Number(text)) ? Number(text) : undefined;
  }
  if (types.includes('string') && (typeof given === 'number' || typeof given === 'boolean')) return String(given);
  return undefined;
}

/** A text that a pattern refuses, as it was probably meant: without blanks around it, in another case, or with the unit of the platform. */
export function fitting(given: string, { pattern, maxLength }: SchemaNode & { readonly maxLength?: number }): string | undefined {
  if (pattern === undefined) return undefined;
  const allowed = new RegExp(pattern, 'u');
  const trimmed = given.trim();
  const inUnits = units.flatMap(([form, unit]) => (form.test(trimmed) ? [trimmed.replace(form, unit)] : []));
  const candidates = [trimmed, ...inUnits, trimmed.toLowerCase(), trimmed.toUpperCase()];
  return candidates.find((each) => each !== given && allowed.test(each) && each.length <= (maxLength ?? Infinity));
}
