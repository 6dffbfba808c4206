import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import {
  mappedValue,
  metadataOf,
  pathOf,
  type FormattedPlace,
} from '../../kinds/schema/property-metadata.js';
import type { Kind } from '../../kinds/schema/kind.js';
import {
  type PropertyAttribute,
  placeInResourceType,
  attributesInResource,
  attributesInObject,
} from '../../kinds/schema/mapping.js';
import { escapeInterpolationIn, escapeInterpolation } from './interpolation.js';
import { normalizeId } from '../../core/values/guid.js';
import { Token } from './cdktf.js';
import type { Attributes } from './plain-resource.js';

/**
 * The declaration as attributes of a resource type, by the kind's description and with the names of
 * the type's binding in `castellan/lib`. `${` in texts is escaped, ids are in lower case; references
 * must be resolved to ids before.
 *
 * @example toOwnBindingConfig<{ displayName: string }>(eventhouse, 'fabric_eventhouse', { displayName: 'clicks' }) // { displayName: 'clicks' }
 */
export function toOwnBindingConfig<Config>(
  kind: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
  declared: object,
): Config {
  return toAttributes(attributesInResource(kind, type), declared as Values) as Config;
}

function toAttributes(properties: readonly PropertyAttribute[], declared: Values): Attributes {
  const attributes: Record<string, unknown> = {};
  for (const property of properties) {
    const value = declared[property.name];
    if (value === undefined || value === null) continue;
    const [first, ...nested] = property.attribute as [string, ...string[]];
    let attribute = attributeValue(property, value);
    for (const step of nested.reverse()) attribute = { [toCamelCase(step)]: attribute };
    attributes[toCamelCase(first)] = attribute;
  }
  return attributes;
}

function attributeValue(
  { schema, format }: Pick<PropertyAttribute, 'schema' | 'format'>,
  value: unknown,
): unknown {
  if (isWholeToken(value)) return value;
  if (typeof value === 'string')
    return mappedValue(format, value) ?? normalizeId(escapeInterpolation(value));
  if (Array.isArray(value))
    return value.map((each: unknown) => entryValue(schema['items'] as TSchema | undefined, each));
  const { properties } = schema as { readonly properties?: TProperties };
  return isObject(value) && properties !== undefined
    ? toAttributes(attributesInObject({ properties }), value)
    : value;
}

/** An entry of a list; if one property stands for the whole entry, the value of this property. */
function entryValue(schema: TSchema = {} as TSchema, entry: unknown): unknown {
  const properties = attributesInObject({
    properties: (schema['properties'] ?? {}) as TProperties,
  });
  const onlyProperty = properties.find(({ format }) => format.at === '.');
  return isObject(entry) && onlyProperty !== undefined
    ? attributeValue(onlyProperty, entry[onlyProperty.name])
    : attributeValue({ schema, format: { at: '.' } }, entry);
}

type Values = Readonly<Record<string, unknown>>;

/**
 * The declaration in the form of the resource type's binding: the attributes of one block, in camel
 * case. Empty lists, references and nested blocks are left out.
 *
 * @param blockPrefix the block: `template.0.`
 * @example toPrebuiltBindingConfig(group.properties, 'azuread_group', { displayName: 'Shop' }) // { displayName: 'Shop' }
 */
export function toPrebuiltBindingConfig<Config>(
  properties: TProperties,
  type: string,
  declared: object = {},
  blockPrefix = '',
): Config {
  const config: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const value = (declared as Values)[name] ?? undefined;
    const { terraform } = metadataOf(schema);
    if (
      value === undefined ||
      (Array.isArray(value) && value.length === 0) ||
      'x-references' in itemSchemaOf(schema)
    )
      continue;
    if (terraform === undefined && schema['properties'] !== undefined && !isWholeToken(value))
      Object.assign(
        config,
        toPrebuiltBindingConfig(schema['properties'] as TProperties, type, value, blockPrefix),
      );
    const place = placeInResourceType(terraform, type, 'primary');
    if (place === undefined || !pathOf(place).startsWith(blockPrefix)) continue;
    const [attribute = '', ...inner] = pathOf(place).slice(blockPrefix.length).split('.');
    if (inner.length === 0 || inner.join('.') === '0')
      config[toCamelCase(attribute)] = blockValue(
        schema,
        type,
        typeof place === 'string' ? { at: place } : place,
        value,
      );
  }
  return config as Config;
}

function blockValue(
  schema: TSchema,
  type: string,
  format: FormattedPlace,
  value: unknown,
): unknown {
  if (isWholeToken(value)) return value;
  const { list } = format;
  const itemSchema = itemSchemaOf(schema);
  if (Array.isArray(value))
    return value.map((each: unknown) => blockValue(itemSchema, type, { at: '.' }, each));
  if (list !== undefined)
    return Object.entries(value as Values).map(([name, each]) => toListEntry(list, name, each));
  if (isObject(value) && itemSchema.properties !== undefined)
    return toPrebuiltBindingConfig(itemSchema.properties, type, value);
  return mappedValue(format, value) ?? escapeInterpolationIn(value);
}

function itemSchemaOf(schema: TSchema): TSchema & { readonly properties?: TProperties } {
  return (schema['items'] ?? schema) as TSchema;
}

/** An entry of a map as an entry of Terraform's list: the value, or the name of its secret. */
function toListEntry(
  { name, value = '', secret = '' }: NonNullable<FormattedPlace['list']>,
  key: string,
  entry: unknown,
): Values {
  const content = isObject(entry)
    ? { [toCamelCase(secret)]: entry['secret'] }
    : { [toCamelCase(value)]: escapeInterpolationIn(entry) };
  return { [toCamelCase(name)]: escapeInterpolation(key), ...content };
}

function toCamelCase(attribute: string): string {
  return attribute.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** Whether a token stands for a whole boolean, list or map. */
function isWholeToken(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Token.isUnresolved(value);
}
