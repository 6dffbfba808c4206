import type { TProperties, TSchema } from '@sinclair/typebox';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { metadataOf } from '../../kinds/schema/property-metadata.js';
import { mistakeIn } from '../../kinds/schema/find-mistake.js';
import type { Kind } from '../../kinds/schema/kind.js';
import {
  attributeName,
  type PropertyPlace,
  placesIn,
  placesInside,
} from '../../kinds/schema/mapping.js';
import { guidPattern } from '../../kinds/schema/schema-builders.js';
import { computed, nested, optional, optionalComputed, required } from './schema-builders.js';
import { uuid } from './checks.js';
import type { TypeExpression } from '../values/value.js';
import type { Attribute, Check } from './schema.js';
import { sameIgnoringCase } from './spelling.js';

/** The parts of a property's schema that decide about its attribute. */
interface Node {
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
  const makesIt = kind.terraform.primary.includes(type);
  const places = placesIn(kind, type);
  return Object.fromEntries(
    places.map((place) => {
      const { conflictsWith, lostByReplacement, createOnly } = metadataOf(place.schema);
      const isObject = (place.schema as Node).properties !== undefined;
      const forceNew = makesIt ? lostByReplacement !== undefined && !isObject : createOnly === true;
      const attribute = attributeOf(
        place,
        makesIt ? 'made' : 'beside',
        lostByReplacement !== undefined,
      );
      const rules = {
        ...(forceNew && { forceNew }),
        ...(conflictsWith !== undefined && {
          conflictsWith: [findAttribute(conflictsWith, places)],
        }),
      };
      return [String(place.attribute[0]), { ...attribute, ...rules }];
    }),
  );
}

/**
 * The attributes for values that the API returns within an object, in another place than requests
 * have them.
 */
export function answeredAttributes(
  { properties }: Pick<Kind, 'properties'>,
  object: string,
): Readonly<Record<string, Attribute>> {
  const entries = Object.values(properties).flatMap((schema): [string, Attribute][] => {
    const [first, name] = (metadataOf(schema).readAs ?? '').split('.');
    return first === object && name !== undefined
      ? [[attributeName(name), computed(scalarOf(schema as Node))]]
      : [];
  });
  return Object.fromEntries(entries);
}

/** The attribute of a property; a property that the provider defines itself has the same name. */
function findAttribute(property: string, places: readonly PropertyPlace[]): string {
  return String(places.find(({ name }) => name === property)?.attribute[0] ?? property);
}

type Where = 'made' | 'beside' | 'inside';

function attributeOf(
  { schema, isRequired }: PropertyPlace,
  where: Where,
  replaces: boolean,
): Attribute {
  const node = schema as Node;
  const extra = {
    ...omitUndefined({ description: node.description }),
    ...checksOf(schema),
  };
  const flags = isRequired ? 'required' : where === 'beside' ? 'optionalComputed' : 'optional';
  if (node.properties !== undefined)
    return nested(flags, 'single', attributesInside(node, replaces), extra);
  const entry = node.items as Node | undefined;
  if (entry?.properties !== undefined && !isWithoutName(entry))
    return nested(flags, 'set', attributesInside(entry, replaces), extra);
  const type: TypeExpression = entry === undefined ? scalarOf(node) : ['set', 'string'];
  if (isRequired) return required(type, extra);
  return where === 'beside'
    ? optionalComputed(type, extra)
    : optional(type, { ...extra, ...defaultOf(node, where) });
}

/** Whether entries are represented by a single value. */
function isWithoutName({ properties = {} }: Node): boolean {
  return placesInside({ properties }).some(({ format }) => format.at === '.');
}

/** For a property that replaces the object, its children must be required. */
function attributesInside(node: Node, replaces: boolean): Readonly<Record<string, Attribute>> {
  const places = placesInside({
    properties: node.properties ?? {},
    ...omitUndefined({ required: node.required }),
  });
  return Object.fromEntries(
    places.map((place) => {
      const attribute = attributeOf(place, 'inside', false);
      return [
        String(place.attribute[0]),
        replaces && place.isRequired ? { ...attribute, forceNew: true } : attribute,
      ];
    }),
  );
}

function scalarOf({ type }: Node): 'string' | 'number' | 'bool' {
  const [first] = [type].flat();
  return first === 'boolean'
    ? 'bool'
    : first === 'number' || first === 'integer'
      ? 'number'
      : 'string';
}

function defaultOf(node: Node, where: Where): Pick<Attribute, 'default'> {
  if (where === 'beside') return {};
  if (node.items !== undefined) return { default: [] };
  if (where === 'inside') return node.default === undefined ? {} : { default: node.default };
  return scalarOf(node) === 'string' && node.pattern === undefined ? { default: '' } : {};
}

function checksOf(schema: TSchema): Pick<Attribute, 'checks' | 'same'> {
  const { items, properties } = schema as Node;
  if (properties !== undefined) return {};
  if (items === undefined)
    return isId(schema)
      ? { checks: [uuid], same: sameIgnoringCase }
      : { checks: [describedCheck(schema)] };
  const inside = (items as Node).properties;
  const [first] = inside === undefined ? [items] : Object.values(inside);
  if (first === undefined || (inside !== undefined && metadataOf(first).terraform !== '.'))
    return {};
  return { checks: [isId(first) ? uuid : describedCheck(first)] };
}

function isId(schema: TSchema): boolean {
  return 'x-references' in schema || (schema as Node).pattern === guidPattern;
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
