import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import { metadataOf, pathOf, type PlaceFormat } from '../../kinds/schema/property-metadata.js';
import type { Kind } from '../../kinds/schema/kind.js';
import { type PropertyPlace, placeIn, placesIn, placesInside } from '../../kinds/schema/mapping.js';
import { escapeInterpolationIn, escapeInterpolation } from './interpolation.js';
import { normalizeId } from '../../core/values/guid.js';
import { Token } from './cdktf.js';
import type { Attributes } from './plain-resource.js';

/**
 * The declaration as attributes of a resource type, by the kind's description. `${` in texts is
 * escaped, ids are in lower case; references must be resolved to ids before.
 *
 * @example attributesOf(eventhouse, 'fabric_eventhouse', { displayName: 'clicks' }) // { display_name: 'clicks' }
 */
export function attributesOf(
  kind: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
  declared: object,
): Attributes {
  return attributesAt(placesIn(kind, type), declared as Readonly<Record<string, unknown>>);
}

/**
 * {@link attributesOf} by the names of the type's binding in `castellan/lib`.
 *
 * @example bindingConfigOf<{ displayName: string }>(eventhouse, 'fabric_eventhouse', { displayName: 'clicks' }) // { displayName: 'clicks' }
 */
export function bindingConfigOf<Config>(
  kind: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
  declared: object,
): Config {
  const values = declared as Readonly<Record<string, unknown>>;
  return attributesAt(placesIn(kind, type), values, bindingName) as Config;
}

type Naming = (attribute: string) => string;

const asInTerraform: Naming = (attribute) => attribute;

function attributesAt(
  places: readonly PropertyPlace[],
  declared: Readonly<Record<string, unknown>>,
  nameOf = asInTerraform,
): Attributes {
  const attributes: Record<string, unknown> = {};
  for (const place of places) {
    const value = declared[place.name];
    if (value === undefined || value === null) continue;
    const [first, ...inner] = place.attribute as [string, ...string[]];
    attributes[nameOf(first)] = inner.reduceRight<unknown>(
      (inside, step) => ({ [nameOf(step)]: inside }),
      attributeOf(place, value, nameOf),
    );
  }
  return attributes;
}

function attributeOf(
  { schema, format }: Pick<PropertyPlace, 'schema' | 'format'>,
  value: unknown,
  nameOf: Naming,
): unknown {
  if (isWholeToken(value)) return value;
  if (typeof value === 'string')
    return format.valueMap?.[value] ?? normalizeId(escapeInterpolation(value));
  if (Array.isArray(value))
    return value.map((each: unknown) =>
      entryOf(schema['items'] as TSchema | undefined, each, nameOf),
    );
  const { properties } = schema as { readonly properties?: TProperties };
  return isObject(value) && properties !== undefined
    ? attributesAt(placesInside({ properties }), value, nameOf)
    : value;
}

function entryOf(schema: TSchema = {} as TSchema, entry: unknown, nameOf: Naming): unknown {
  const places = placesInside({ properties: (schema['properties'] ?? {}) as TProperties });
  const alone = places.find(({ format }) => format.at === '.');
  return isObject(entry) && alone !== undefined
    ? attributeOf(alone, entry[alone.name], nameOf)
    : attributeOf({ schema, format: { at: '.' } }, entry, nameOf);
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The declaration in the form of the resource type's binding: the attributes of one block, in camel
 * case. Empty lists, references and nested blocks are left out.
 *
 * @param below the block: `template.0.`
 * @example bindingBlockOf(group.properties, 'azuread_group', { displayName: 'Shop' }) // { displayName: 'Shop' }
 */
export function bindingBlockOf<Config>(
  properties: TProperties,
  type: string,
  declared: object = {},
  below = '',
): Config {
  const config: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = (declared as Values)[name] ?? undefined;
    const { terraform } = metadataOf(schema);
    if (
      value === undefined ||
      (Array.isArray(value) && value.length === 0) ||
      'x-references' in entryIn(schema)
    )
      continue;
    if (terraform === undefined && schema['properties'] !== undefined && !isWholeToken(value))
      Object.assign(
        config,
        bindingBlockOf(schema['properties'] as TProperties, type, value, below),
      );
    const place = placeIn(terraform, type, true);
    if (place === undefined || !pathOf(place).startsWith(below)) continue;
    const [attribute = '', ...inner] = pathOf(place).slice(below.length).split('.');
    if (inner.length === 0 || inner.join('.') === '0')
      config[bindingName(attribute)] = bindingValue(
        schema,
        type,
        typeof place === 'string' ? { at: place } : place,
        value,
      );
  }
  return config as Config;
}

function bindingValue(
  schema: TSchema,
  type: string,
  { valueMap, list }: PlaceFormat,
  value: unknown,
): unknown {
  if (isWholeToken(value)) return value;
  const entry = entryIn(schema);
  if (Array.isArray(value))
    return value.map((each: unknown) => bindingValue(entry, type, { at: '.' }, each));
  if (list !== undefined)
    return Object.entries(value as Values).map(([name, each]) => entryValue(list, name, each));
  if (isObject(value) && entry.properties !== undefined)
    return bindingBlockOf(entry.properties, type, value);
  return valueMap?.[String(value)] ?? escapeInterpolationIn(value);
}

function entryIn(schema: TSchema): TSchema & { readonly properties?: TProperties } {
  return (schema['items'] ?? schema) as TSchema;
}

/** An entry of a map that is a list there: its value, or the name of its secret. */
function entryValue(
  { name, value = '', secret = '' }: NonNullable<PlaceFormat['list']>,
  key: string,
  entry: unknown,
): Values {
  const own = isObject(entry)
    ? { [bindingName(secret)]: entry['secret'] }
    : { [bindingName(value)]: escapeInterpolationIn(entry) };
  return { [bindingName(name)]: escapeInterpolation(key), ...own };
}

function bindingName(attribute: string): string {
  return attribute.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Whether a token is in the place of a boolean, a list or a map. */
function isWholeToken(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Token.isUnresolved(value);
}
