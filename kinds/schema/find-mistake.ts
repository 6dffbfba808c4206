import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { type NumberOrRange, metadataOf } from './property-metadata.js';

/** A mistake in a value: the violated limit, and a message that follows the property's name. */
export interface Mistake {
  /** The keyword of JSON Schema; `allowedNumbers`, `validate` or `name` for other checks. */
  readonly keyword: string;
  /** Such as `it has 300 characters, at most 256 are allowed`. */
  readonly message: string;
  /** Which mistake it is, if a description checks more than one. */
  readonly messageId?: string;
}

/** Options of the check. */
export interface MistakeOptions {
  /** Accepts enumerated words in any letter case, as the cloud's own services do. @default false */
  readonly anyCase?: boolean;
}

/** The limits of a property, as its schema states them. */
export interface SchemaLimits {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly maxProperties?: number;
}

/**
 * Checks one value against the description of its property, as `castellan check` does; used by the
 * services. Unknown properties of objects are left to the service.
 *
 * @example mistakeIn(group.properties.displayName, '')?.message === 'it cannot be empty'
 */
export function mistakeIn(
  schema: TSchema,
  value: unknown,
  options: MistakeOptions = {},
): Mistake | undefined {
  const limits = schema as SchemaLimits;
  const { type } = limits;
  if (isAcceptedByApiOnly(schema, value)) return undefined;
  if (type !== undefined && ![type].flat().some((each) => isOfType(value, each)))
    return {
      keyword: 'type',
      message: `it must be ${[type].flat().map(describeType).join(' or ')}${allowedNumbersHint(schema)}`,
    };
  if (limits.enum !== undefined && !limits.enum.some((word) => equalsWord(value, word, options)))
    return {
      keyword: 'enum',
      message: `'${String(value)}' is not allowed; allowed are ${limits.enum.join(', ')}`,
    };
  const sizeMistake = lengthMistake(limits, value) ?? numberMistake(limits, value);
  if (sizeMistake !== undefined) return sizeMistake;
  const { patternDescription = `the form ${limits.pattern ?? ''}` } = metadataOf(schema);
  if (
    typeof value === 'string' &&
    limits.pattern !== undefined &&
    !cachedRegExp(limits.pattern).test(value)
  )
    return { keyword: 'pattern', message: `it must have ${patternDescription}` };
  return customMistake(schema, value) ?? mistakeInside(schema, value, options);
}

/** Whether a service accepts a value that declarations can't have (`alsoAcceptedByApi`). */
export function isAcceptedByApiOnly(schema: TSchema, value: unknown): boolean {
  const { values = [], pattern } = metadataOf(schema).alsoAcceptedByApi ?? {};
  return (
    values.includes(value) ||
    (pattern !== undefined && typeof value === 'string' && cachedRegExp(pattern).test(value))
  );
}

function mistakeInside(
  schema: TSchema,
  value: unknown,
  options: MistakeOptions,
): Mistake | undefined {
  const {
    items,
    properties = {},
    required = [],
    patternProperties,
    maxProperties,
  } = schema as SchemaLimits;
  if (Array.isArray(value) && items !== undefined)
    return mistakeInEntries(value, (entry) => mistakeIn(items, entry, options));
  if (typeof value !== 'object' || value === null) return undefined;
  const object = value as Readonly<Record<string, unknown>>;
  const missing = required.find((name) => object[name] === undefined);
  if (missing !== undefined) return { keyword: 'required', message: `${missing} is missing` };
  for (const [name, property] of Object.entries(properties)) {
    const mistake =
      object[name] === undefined ? undefined : mistakeIn(property, object[name], options);
    if (mistake !== undefined) return { ...mistake, message: `${name}: ${mistake.message}` };
  }
  const count = Object.keys(object).length;
  if (maxProperties !== undefined && count > maxProperties)
    return {
      keyword: 'maxProperties',
      message: `it has ${count} entries, at most ${maxProperties} are allowed`,
    };
  if (patternProperties === undefined) return undefined;
  const { patternDescription = `the form ${Object.keys(patternProperties).join()}` } =
    metadataOf(schema);
  return mistakeInMap(patternProperties, patternDescription, object, options);
}

/** The first mistake in the entries of a list, whose message begins with the entry's number. */
export function mistakeInEntries(
  list: readonly unknown[],
  find: (entry: unknown) => Mistake | undefined,
): Mistake | undefined {
  for (const [index, entry] of list.entries()) {
    const mistake = find(entry);
    if (mistake !== undefined)
      return { ...mistake, message: `entry ${index + 1}: ${mistake.message}` };
  }
  return undefined;
}

/** Checks the names in a map, and the values under them. */
function mistakeInMap(
  schemas: Readonly<Record<string, TSchema>>,
  patternDescription: string,
  properties: Readonly<Record<string, unknown>>,
  options: MistakeOptions,
): Mistake | undefined {
  for (const [name, value] of Object.entries(properties)) {
    const match = Object.entries(schemas).find(([pattern]) => cachedRegExp(pattern).test(name));
    if (match === undefined)
      return {
        keyword: 'name',
        message: `'${name}' is not an allowed name; it must have ${patternDescription}`,
      };
    const mistake = mistakeIn(match[1], value, options);
    if (mistake !== undefined) return { ...mistake, message: `${name}: ${mistake.message}` };
  }
  return undefined;
}

function allowedNumbersHint(schema: TSchema): string {
  const { allowedNumbers } = metadataOf(schema);
  return allowedNumbers === undefined ? '' : `; allowed are ${describeNumbers(allowedNumbers)}`;
}

/** Checks the limits of a description that JSON Schema has no keyword for. */
export function customMistake(schema: TSchema | object, value: unknown): Mistake | undefined {
  const { allowedNumbers, validate } = metadataOf(schema);
  if (
    allowedNumbers !== undefined &&
    typeof value === 'number' &&
    !allowedNumbers.some((each) => isAllowedNumber(value, each))
  )
    return {
      keyword: 'allowedNumbers',
      message: `${String(value)} is not allowed; allowed are ${describeNumbers(allowedNumbers)}`,
    };
  const failure = validate?.(value);
  if (failure === undefined) return undefined;
  return { keyword: 'validate', ...(typeof failure === 'string' ? { message: failure } : failure) };
}

/**
 * A value whose words have the spelling of the description, where they differ in letter case: a
 * word, or the words in a list or an object.
 */
export function canonicalValue(schema: TSchema, value: unknown): unknown {
  const {
    enum: allowed = [],
    items,
    properties = {},
  } = schema as {
    readonly enum?: readonly unknown[];
    readonly items?: TSchema;
    readonly properties?: TProperties;
  };
  if (Array.isArray(value) && items !== undefined)
    return value.map((each) => canonicalValue(items, each));
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
        return [name, property === undefined ? each : canonicalValue(property, each)];
      }),
    );
  if (typeof value !== 'string') return value;
  return allowed.map(String).find((word) => word.toLowerCase() === value.toLowerCase()) ?? value;
}

/** Allowed numbers in words: `0, 2.25, or any number from 51 to 322`. */
export function describeNumbers(values: readonly NumberOrRange[]): string {
  const single = values.filter((each) => typeof each === 'number');
  const ranges = values
    .filter((each) => typeof each !== 'number')
    .map(([minimum, maximum]) => `any number from ${minimum} to ${maximum}`);
  return [
    ...single,
    ...ranges.map((range, index) =>
      index === ranges.length - 1 && values.length > 1 ? `or ${range}` : range,
    ),
  ].join(', ');
}

/** The allowed number closest to a number that is not allowed: a single one, or a range's end. */
export function nearestNumber(values: readonly NumberOrRange[], value: number): number {
  return values
    .flat()
    .reduce((best, each) => (Math.abs(each - value) < Math.abs(best - value) ? each : best));
}

function isAllowedNumber(value: number, allowed: NumberOrRange): boolean {
  return typeof allowed === 'number'
    ? value === allowed
    : value >= allowed[0] && value <= allowed[1];
}

function lengthMistake(
  { minLength, maxLength, minItems, maxItems }: SchemaLimits,
  value: unknown,
): Mistake | undefined {
  const isList = Array.isArray(value);
  if (!isList && typeof value !== 'string') return undefined;
  const [minimum, maximum, unit] = isList
    ? [minItems, maxItems, 'entries']
    : [minLength, maxLength, 'characters'];
  const length = isList ? value.length : [...value].length;
  if (minimum !== undefined && length < minimum) {
    const message =
      length === 0
        ? 'it cannot be empty'
        : `it has ${length} ${unit}, at least ${minimum} are needed`;
    return { keyword: isList ? 'minItems' : 'minLength', message };
  }
  if (maximum === undefined || length <= maximum) return undefined;
  return {
    keyword: isList ? 'maxItems' : 'maxLength',
    message: `it has ${length} ${unit}, at most ${maximum} are allowed`,
  };
}

function numberMistake({ minimum, maximum }: SchemaLimits, value: unknown): Mistake | undefined {
  if (typeof value !== 'number') return undefined;
  if (minimum !== undefined && value < minimum)
    return { keyword: 'minimum', message: `it is ${value}, at least ${minimum} is allowed` };
  if (maximum !== undefined && value > maximum)
    return { keyword: 'maximum', message: `it is ${value}, at most ${maximum} is allowed` };
  return undefined;
}

function equalsWord(value: unknown, word: unknown, { anyCase = false }: MistakeOptions): boolean {
  return (
    value === word ||
    (anyCase && typeof value === 'string' && value.toLowerCase() === String(word).toLowerCase())
  );
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

function describeType(type: string): string {
  return typeNames[type] ?? type;
}

const regExpCache = new Map<string, RegExp>();

/** JSON Schema patterns are Unicode patterns; compiled once. */
function cachedRegExp(pattern: string): RegExp {
  const expression = regExpCache.get(pattern) ?? new RegExp(pattern, 'u');
  regExpCache.set(pattern, expression);
  return expression;
}
