import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { metadataOf } from './property-metadata.js';
import { type MistakeOptions, type Mistake, mistakeIn, mistakeInEntries } from './find-mistake.js';

/** A property with its name in the API. */
export interface ApiProperty {
  /** The name in the API, not in castellan.yaml. */
  readonly name: string;
  readonly schema: TSchema;
}

/**
 * The properties in one object of a request body, with their names in it.
 *
 * @example
 * // the properties that only the creation of an eventhouse sets
 * apiPropertiesIn('creationPayload', eventhouse.properties);
 */
export function apiPropertiesIn(
  objectName: string,
  properties: TProperties,
): readonly ApiProperty[] {
  return Object.values(properties).flatMap((schema) => {
    const [parent, name, ...deeperSteps] = (metadataOf(schema).api ?? '').split('.');
    return parent === objectName && name !== undefined && deeperSteps.length === 0
      ? [{ name, schema }]
      : [];
  });
}

/** A mistake in a request body, with the property that has it. */
export interface BodyMistake extends Mistake {
  /** The path of the property in the body: `web.logoutUrl`. */
  readonly path: string;
}

/**
 * Checks a request body of the API against the description of its kind: each property at the path
 * that it has in the body. Missing values and nulls are not checked, also in the entries of lists
 * (their `required` is left to the service), nor are properties with requests of their own.
 */
export function mistakeInBody(
  properties: TProperties,
  body: Readonly<Record<string, unknown>>,
  options: MistakeOptions = {},
): BodyMistake | undefined {
  for (const [property, schema] of Object.entries(properties)) {
    const { api: path = property, separateRequest, notInApi, separator } = metadataOf(schema);
    if (separateRequest === true || notInApi === true) continue;
    const input = path
      .split('.')
      .reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), body);
    if (input === undefined || input === null) continue;
    const value =
      separator !== undefined && typeof input === 'string' ? splitBy(separator, input) : input;
    const { items, ...listSchema } = schema as TSchema & {
      readonly items?: { readonly properties?: TProperties };
    };
    const entryProperties = items?.properties;
    const mistake =
      entryProperties === undefined
        ? mistakeIn(schema, value, options)
        : (mistakeIn(listSchema as TSchema, value, options) ??
          entryMistake(entryProperties, value as readonly unknown[], options));
    if (mistake !== undefined) return { ...mistake, path };
  }
  return undefined;
}

function splitBy(separator: string, text: string): readonly string[] {
  return text === '' ? [] : text.split(separator).map((entry) => entry.trim());
}

/** The first mistake in the objects of a list, whose properties have the API's names, too. */
function entryMistake(
  properties: TProperties,
  list: readonly unknown[],
  options: MistakeOptions,
): Mistake | undefined {
  return mistakeInEntries(list, (entry) => {
    if (!isObject(entry)) return { keyword: 'type', message: 'it must be an object' };
    const mistake = mistakeInBody(properties, entry, options);
    return mistake && { ...mistake, message: `${mistake.path}: ${mistake.message}` };
  });
}
