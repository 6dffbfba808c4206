import type { TSchema } from '@sinclair/typebox';
import type { FormattedPlace } from './property-metadata.js';

/** Converts the value at a place to the declared one; undefined if it declares nothing. */
export type Reader = (value: unknown) => unknown;

/** The placeholder of a value that is known only after apply, in the form of a reference. */
export const unknownPlaceholder = '${later}';

type Values = Readonly<Record<string, unknown>>;

/** Providers use an empty text for unset values. */
export function undefinedIfEmpty(value: unknown): unknown {
  return value === '' ? undefined : value;
}

/** The presence of an object declares it; its properties are read separately. */
export function emptyObjectIfPresent(value: unknown): unknown {
  return value !== null && typeof value === 'object' ? {} : value;
}

/** The name of a secret, as a reference to it. */
export function secretReferenceOf(name: unknown): unknown {
  return typeof name === 'string' && name !== '' ? `secret:${name}` : undefinedIfEmpty(name);
}

/** An object without properties that are not set: undefined, null or an empty text. */
export function omitUnset(value: Values): Values {
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== undefined && each !== null && each !== ''),
  );
}

/** Reads a list, entry by entry; providers use an empty list for unset values. */
export function listReader(entry: Reader, isRequired: boolean): Reader {
  return (list) => {
    if (!Array.isArray(list)) return list;
    return list.length === 0 && !isRequired ? undefined : list.map((each: unknown) => entry(each));
  };
}

/** Reads a map of objects. */
export function mapReader(entry: Reader): Reader {
  return (map) => {
    if (map === null || typeof map !== 'object') return map;
    const entries = Object.entries(map).filter(
      ([, each]) => each !== null && typeof each === 'object',
    );
    return entries.length === 0
      ? undefined
      : Object.fromEntries(entries.map(([name, each]) => [name, entry(each)]));
  };
}

/** Reads a place where a property has another form. */
export function formatReader(schema: TSchema, format: FormattedPlace): Reader {
  const {
    valueIfPresent,
    contains,
    after,
    aggregate,
    list,
    where,
    member,
    dropsFractionalSeconds,
    readAsUnset,
  } = format;
  if (list !== undefined)
    return (entries) =>
      Array.isArray(entries) ? namedEntries(entries as readonly (Values | null)[], list) : entries;
  if (valueIfPresent !== undefined) return () => valueIfPresent;
  if (contains !== undefined)
    return (text) =>
      typeof text === 'string' ? (text.includes(contains) ? true : undefined) : text;
  if (after !== undefined)
    return (text) =>
      typeof text === 'string' ? undefinedIfEmpty(text.slice(endOfFirst(text, after))) : text;
  if (where !== undefined && member !== undefined)
    return (entries) => membersWhere(entries, where, member);
  if (dropsFractionalSeconds === true)
    return (text) =>
      typeof text === 'string' ? undefinedIfEmpty(text.replace(/\.\d+Z$/, 'Z')) : undefined;
  if (aggregate !== undefined)
    return (values) => (Array.isArray(values) ? { sum, min }[aggregate](values) : values);
  if (readAsUnset !== undefined) return (value) => (value === readAsUnset ? undefined : value);
  return valueMapReader(schema, format);
}

/** The end of the first occurrence of a part; 0 if the text does not contain it. */
function endOfFirst(text: string, part: string): number {
  const index = text.indexOf(part);
  return index < 0 ? 0 : index + part.length;
}

/** Reads a value by the value map; an unknown value stays as it is. */
function valueMapReader(
  schema: TSchema,
  { valueMap, ignoreCase, ignoreOtherValues }: FormattedPlace,
): Reader {
  const normalize = (text: string): string => (ignoreCase === true ? text.toLowerCase() : text);
  const pairs = Object.entries(
    valueMap ??
      Object.fromEntries(((schema['enum'] ?? []) as readonly string[]).map((each) => [each, each])),
  );
  const declaredValues = new Map(
    pairs.map(([declared, value]) => [
      typeof value === 'string' ? normalize(value) : value,
      declared,
    ]),
  );
  return (value) => {
    const match = declaredValues.get(
      typeof value === 'string' ? normalize(value) : (value as boolean),
    );
    return match ?? (ignoreOtherValues === true ? undefined : undefinedIfEmpty(value));
  };
}

/** Named entries: their values, their secrets' names, or their presence. */
function namedEntries(
  entries: readonly (Values | null)[],
  { name, value, secret }: NonNullable<FormattedPlace['list']>,
): unknown {
  const byName: Record<string, unknown> = {};
  for (const entry of entries) {
    const key = entry?.[name];
    if (typeof key !== 'string') continue;
    // an entry whose name is unknown may be any entry of the map
    if (value === undefined && key === unknownPlaceholder) return unknownPlaceholder;
    const declared = entryValue(entry as Values, value, secret);
    if (declared === undefined || declared === null) continue;
    if (key === '__proto__')
      Object.defineProperty(byName, key, {
        value: declared,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else byName[key] = declared;
  }
  return value !== undefined && Object.keys(byName).length === 0 ? undefined : byName;
}

/** A valid source for a secret whose source the place does not contain. */
const sourceOfStoredSecret = '${env:KEPT}';

function entryValue(entry: Values, value: string | undefined, secret: string | undefined): unknown {
  const secretName = secret === undefined ? undefined : undefinedIfEmpty(entry[secret]);
  if (typeof secretName === 'string') return { secret: secretName };
  return value === undefined ? sourceOfStoredSecret : entry[value];
}

/** A member of the list entries with given values; undefined without such entries. */
function membersWhere(
  list: unknown,
  where: Readonly<Record<string, string>>,
  member: string,
): readonly unknown[] | undefined {
  const result = (Array.isArray(list) ? (list as (Values | null)[]) : []).flatMap((entry) =>
    Object.entries(where).every(([name, value]) => entry?.[name] === value)
      ? [entry?.[member]]
      : [],
  );
  return result.length === 0 ? undefined : result;
}

/**
 * The sum of numbers, or of numbers with a unit; other values are returned as they are, and a
 * missing value has no sum.
 */
function sum(values: readonly unknown[]): unknown {
  if (values.length < 2) return values[0];
  if (values.some((each) => each === undefined || each === null)) return undefined;
  const notSummable = values.find(
    (each) => typeof each !== 'number' && !/^\d+(\.\d+)?Gi$/.test(String(each)),
  );
  if (notSummable !== undefined) return notSummable;
  const total = values.reduce<number>(
    (sumSoFar, each) => sumSoFar + Number.parseFloat(String(each)),
    0,
  );
  return typeof values[0] === 'number' ? total : `${String(total)}Gi`;
}

/** The minimum of numbers, which may be written as texts. */
function min(values: readonly unknown[]): unknown {
  const notANumber = values.find((each) => typeof each === 'string' && !/^\d+$/.test(each));
  const numbers = values.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [Number(each)] : [],
  );
  return notANumber ?? (numbers.length === 0 ? undefined : Math.min(...numbers));
}
