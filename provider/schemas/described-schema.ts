import type { TProperties, TSchema } from '@sinclair/typebox';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import { mistakeIn } from '../../kinds/schema/find-mistake.js';
import type { Kind } from '../../kinds/schema/kind.js';
import {
  attributeName,
  type PropertyAttribute,
  attributesInResource,
  attributesInObject,
} from '../../kinds/schema/mapping.js';
import { guidPattern } from '../../kinds/schema/schema-builders.js';
import { computed, nested, optional, optionalComputed, required } from './schema-builders.js';
import { uuid } from './checks.js';
import type { TypeExpression } from '../values/value.js';
import type { Attribute, Check } from './schema.js';
import { isEqualIgnoringCase } from './spelling.js';

/** The parts of a property's schema that decide about its attribute. */
interface PropertySchema {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly required?: string[];
  readonly description?: string;
  readonly default?: string | boolean;
}

/**
 * The attributes of one of castellan's own resource types, from the kind's description. A resource
 * that creates the object treats unset values as empty; one beside it leaves them to the service.
 */
export function describedAttributes(kind: Kind, type: string): Readonly<Record<string, Attribute>> {
  const isPrimary = kind.terraform.resourceTypes.includes(type);
  const properties = attributesInResource(kind, type);
  return Object.fromEntries(
    properties.map((property) => {
      const { conflictsWith, replacementLoses, createOnly } = metadataOf(property.schema);
      const isObject = (property.schema as PropertySchema).properties !== undefined;
      const forceNew = isPrimary
        ? replacementLoses !== undefined && !isObject
        : createOnly === true;
      const attribute = toAttribute(
        property,
        isPrimary ? 'creatingResource' : 'extendingResource',
        replacementLoses !== undefined,
      );
      const changeRules = {
        ...(forceNew && { forceNew }),
        ...(conflictsWith !== undefined && {
          conflictsWith: [findAttribute(conflictsWith, properties)],
        }),
      };
      return [String(property.attribute[0]), { ...attribute, ...changeRules }];
    }),
  );
}

/**
 * The attributes for values that the API returns within an object, in another place than requests
 * have them.
 */
export function responseAttributes(
  { properties }: Pick<Kind, 'properties'>,
  object: string,
): Readonly<Record<string, Attribute>> {
  const entries = Object.values(properties).flatMap((schema): [string, Attribute][] => {
    const [first, name] = (metadataOf(schema).readAs ?? '').split('.');
    return first === object && name !== undefined
      ? [[attributeName(name), computed(scalarType(schema as PropertySchema))]]
      : [];
  });
  return Object.fromEntries(entries);
}

/** The attribute of a property; a property that the provider defines itself has the same name. */
function findAttribute(propertyName: string, properties: readonly PropertyAttribute[]): string {
  return String(properties.find(({ name }) => name === propertyName)?.attribute[0] ?? propertyName);
}

/**
 * Where an attribute is: in the resource that creates the object, in one that adds to it, or nested
 * in another attribute.
 */
type AttributeOwner = 'creatingResource' | 'extendingResource' | 'attribute';

function toAttribute(
  { schema, isRequired }: PropertyAttribute,
  owner: AttributeOwner,
  replacesObject: boolean,
): Attribute {
  const propertySchema = schema as PropertySchema;
  const options = {
    ...omitUndefined({ description: propertySchema.description }),
    ...attributeChecks(schema),
  };
  const mode = isRequired
    ? 'required'
    : owner === 'extendingResource'
      ? 'optionalComputed'
      : 'optional';
  if (propertySchema.properties !== undefined)
    return nested(mode, 'single', attributesInside(propertySchema, replacesObject), options);
  const entrySchema = propertySchema.items as PropertySchema | undefined;
  if (entrySchema?.properties !== undefined && !isSingleValueEntry(entrySchema))
    return nested(mode, 'set', attributesInside(entrySchema, replacesObject), options);
  const type: TypeExpression =
    entrySchema === undefined ? scalarType(propertySchema) : ['set', 'string'];
  if (isRequired) return required(type, options);
  return owner === 'extendingResource'
    ? optionalComputed(type, options)
    : optional(type, { ...options, ...attributeDefault(propertySchema, owner) });
}

/** Whether entries are represented by a single value. */
function isSingleValueEntry({ properties = {} }: PropertySchema): boolean {
  return attributesInObject({ properties }).some(({ format }) => format.at === '.');
}

/**
 * @param replacesObject whether a change of the attribute replaces the object: then a change of the
 *   required attributes inside does, too.
 */
function attributesInside(
  propertySchema: PropertySchema,
  replacesObject: boolean,
): Readonly<Record<string, Attribute>> {
  const properties = attributesInObject({
    properties: propertySchema.properties ?? {},
    ...omitUndefined({ required: propertySchema.required }),
  });
  return Object.fromEntries(
    properties.map((property) => {
      const attribute = toAttribute(property, 'attribute', false);
      return [
        String(property.attribute[0]),
        replacesObject && property.isRequired ? { ...attribute, forceNew: true } : attribute,
      ];
    }),
  );
}

function scalarType({ type }: PropertySchema): 'string' | 'number' | 'bool' {
  const [first] = [type].flat();
  if (first === 'boolean') return 'bool';
  return first === 'number' || first === 'integer' ? 'number' : 'string';
}

function attributeDefault(
  propertySchema: PropertySchema,
  owner: AttributeOwner,
): Pick<Attribute, 'default'> {
  if (owner === 'extendingResource') return {};
  if (propertySchema.items !== undefined) return { default: [] };
  if (owner === 'attribute')
    return propertySchema.default === undefined ? {} : { default: propertySchema.default };
  return scalarType(propertySchema) === 'string' && propertySchema.pattern === undefined
    ? { default: '' }
    : {};
}

function attributeChecks(schema: TSchema): Pick<Attribute, 'checks' | 'isEquivalent'> {
  const { items, properties } = schema as PropertySchema;
  if (properties !== undefined) return {};
  if (items === undefined)
    return isId(schema)
      ? { checks: [uuid], isEquivalent: isEqualIgnoringCase }
      : { checks: [describedCheck(schema)] };
  const innerProperties = (items as PropertySchema).properties;
  const [first] = innerProperties === undefined ? [items] : Object.values(innerProperties);
  if (first === undefined || (innerProperties !== undefined && metadataOf(first).terraform !== '.'))
    return {};
  return { checks: [isId(first) ? uuid : describedCheck(first)] };
}

function isId(schema: TSchema): boolean {
  return 'x-references' in schema || (schema as PropertySchema).pattern === guidPattern;
}

/** Checks an attribute against the description of its property. */
export function describedCheck(schema: TSchema): Check {
  return (value, name) => {
    const mistake = mistakeIn(
      schema,
      schema['type'] === 'number' || schema['type'] === 'integer' ? Number(value) : value,
    );
    return mistake === undefined ? undefined : `${name} is not allowed: ${mistake.message}`;
  };
}
