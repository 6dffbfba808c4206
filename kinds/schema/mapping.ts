import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { factsOf, pathOf, type Place, type Spelling } from './facts.js';
import { isTaken } from './judge.js';
import type { Kind } from './kind.js';
import { ifFilled, listReader, mapReader, presence, type Read, secretOf, setOnly, writtenReader } from './readers.js';
import { at, stepsOf } from './steps.js';

/** How one property of a declaration is read from a resource's attributes, or from the `properties` of a body. */
export interface Mapping {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  /** The declared value of what is there; undefined where that declares nothing. */
  readonly read?: Read;
  /** The description of the property. */
  readonly schema?: TSchema;
}

/** The schema of an object, a map or a list, as far as its places are read. */
interface Node {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** The same mapping for another entry of a list: what is read below one path, read below another. */
export function moveMapping(path: ConfigPath, from: ConfigPath, mapping: Mapping): Mapping {
  return { ...mapping, attribute: [...path, ...mapping.attribute.slice(from.length)] };
}

/** The `properties` in a body of the resource manager, read as resources are. */
export const resourceBody = 'body';

/**
 * How resources of a type, or bodies of the resource manager, say what a thing of a kind is: read from the description of the kind. An
 * `azapi_resource` has in its body what the resource manager has there, and everything else where other resources have it.
 *
 * @param from the type of the resource, or {@link resourceBody}.
 * @param below the path of the thing in its declaration: `auth`.
 * @example mappingsOf(containerApp, 'azurerm_container_app').find(({ property }) => property.join('.') === 'replicas.min')
 */
export function mappingsOf(
  { terraform, schema }: Pick<Kind, 'terraform' | 'schema'>,
  from: string,
  below: ConfigPath = [],
): readonly Mapping[] {
  const isAzapi = from === 'azapi_resource' && terraform.azapi !== undefined;
  const reader = new Reader(from, isAzapi || from === resourceBody, isAzapi || terraform.whole.includes(from));
  return reader.mappings(schema as Node, { property: below, attribute: [], isInside: false }, isAzapi ? ['body', 'properties'] : []);
}

/** A property whose places are looked for: where it is declared, and the place of the object that it is in. */
interface Around {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  /** Whether the object has a place of its own, in which its properties are wherever that is. */
  readonly isInside: boolean;
}

function bodyPlaces(schema: TSchema): readonly Place[] {
  return [factsOf(schema).body ?? []].flat() as readonly Place[];
}

/** Reads one type of resource, or the bodies. */
class Reader {
  constructor(
    private readonly type: string,
    private readonly readsBody: boolean,
    private readonly makesIt: boolean,
  ) {}

  mappings(node: Node, around: Around, base: ConfigPath): readonly Mapping[] {
    const required = new Set(node.required ?? []);
    return Object.entries(node.properties ?? {}).flatMap(([name, schema]): readonly Mapping[] => {
      const property = [...around.property, name];
      const inBody = this.readsBody ? bodyPlaces(schema) : [];
      const places = inBody.length > 0 ? inBody : this.#terraformPlaces(schema, around.isInside);
      const start = around.isInside || inBody.length === 0 ? around.attribute : base;
      const { properties } = schema as Node;
      if (properties !== undefined && places.length === 0) return this.mappings(schema as Node, { ...around, property }, base);
      return places.flatMap((place) => {
        const attribute = [...start, ...stepsOf(pathOf(place))];
        const own = { property, attribute, schema, read: this.#reader(schema, place, required.has(name)) };
        return properties === undefined ? [own] : [own, ...this.mappings(schema as Node, { property, attribute, isInside: true }, base)];
      });
    });
  }

  #terraformPlaces(schema: TSchema, isInside: boolean): readonly Place[] {
    const { terraform, outsideStore } = factsOf(schema);
    const makesIt = this.makesIt || isInside;
    // the official provider fills in what is kept outside the main store, declared or not
    if (this.type === resourceBody || (this.makesIt && outsideStore === true)) return [];
    const place = placeIn(terraform, this.type, makesIt);
    return place === undefined ? [] : [place];
  }

  /** A provider says that nothing is set by an empty text or list; what is required stays as it is, to be judged. */
  #reader(schema: TSchema, place: Place, isRequired: boolean): Read {
    const read = this.#plainReader(schema, place, isRequired);
    return this.readsBody ? (value) => (isTaken(schema, value) ? undefined : read(value)) : read;
  }

  #plainReader(schema: TSchema, place: Place, isRequired: boolean): Read {
    const { type, items, properties, patternProperties, default: initial } = schema as Node;
    if (properties !== undefined) return presence;
    if (schema['x-secret'] === true) return secretOf;
    if (typeof place !== 'string') return writtenReader(schema, place);
    if (type === 'array') return listReader(this.#entryReader(items), isRequired);
    const [entry] = Object.values(patternProperties ?? {});
    if (entry !== undefined && entry['properties'] !== undefined) return mapReader(this.#objectReader(entry['properties'] as TProperties));
    // a provider shows defaults that no configuration declares
    if (type === 'boolean') return (value) => (value === initial ? undefined : value);
    return isRequired ? (value) => value : ifFilled;
  }

  #entryReader(items: TSchema | undefined): Read {
    const { properties } = (items ?? {}) as Node;
    if (properties === undefined) return (entry) => entry;
    const alone = Object.keys(properties).find((name) => factsOf(properties[name] as TSchema).terraform === '.');
    return alone === undefined ? this.#objectReader(properties) : (entry) => ({ [alone]: entry });
  }

  #objectReader(properties: TProperties): Read {
    const places = Object.entries(properties).flatMap(([name, schema]) => {
      const inBody = this.readsBody ? bodyPlaces(schema) : this.#terraformPlaces(schema, true);
      return inBody.map((place) => ({ name, path: stepsOf(pathOf(place)), read: this.#reader(schema, place, false) }));
    });
    return (value) => {
      if (value === null || typeof value !== 'object') return value;
      return setOnly(Object.fromEntries(places.map(({ name, path, read }) => [name, read(at(value, path))])));
    };
  }
}

/** A property and the attribute that a type of resource has for it. */
export interface PropertyPlace {
  readonly name: string;
  readonly schema: TSchema;
  /** The steps to the attribute, below the resource or the object that has the property. */
  readonly attribute: ConfigPath;
  readonly spelling: Spelling;
  readonly isRequired: boolean;
}

/** The properties that resources of a type have, in the order of the description. */
export function placesIn({ terraform, schema }: Pick<Kind, 'terraform' | 'schema'>, type: string): readonly PropertyPlace[] {
  return placesAmong(schema, type, terraform.whole.includes(type));
}

/** The properties of an object that has an attribute of its own: below that. */
export function placesInside(node: Pick<Node, 'properties' | 'required'>): readonly PropertyPlace[] {
  return placesAmong(node, '', true);
}

function placesAmong(
  { properties = {}, required = [] }: Pick<Node, 'properties' | 'required'>,
  type: string,
  makesIt: boolean,
): readonly PropertyPlace[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const place = placeIn(factsOf(schema).terraform, type, makesIt);
    if (place === undefined) return [];
    const spelling = typeof place === 'string' ? { at: place } : place;
    return [{ name, schema, attribute: stepsOf(pathOf(place)), spelling, isRequired: required.includes(name) }];
  });
}

/** Where a type of resource has a property: at the place of all types that make the whole thing, or at a place of its own. */
export function placeIn(terraform: ReturnType<typeof factsOf>['terraform'], type: string, makesIt: boolean): Place | undefined {
  if (terraform === undefined) return undefined;
  if (typeof terraform === 'string' || 'at' in terraform) return makesIt ? (terraform as Place) : undefined;
  return (terraform as Readonly<Record<string, Place>>)[type];
}

/** Whether resources of a type can say everything that is declared, as far as Terraform has places for it. */
export function canSay(kind: Pick<Kind, 'terraform' | 'schema'>, type: string, declared: object): boolean {
  const places = new Set(placesIn(kind, type).map(({ name }) => name));
  return Object.entries(declared).every(([name, value]) => {
    const schema = kind.schema.properties[name];
    return value === undefined || places.has(name) || schema === undefined || factsOf(schema).terraform === undefined;
  });
}

/** The name that Terraform has for a property that only the service sets: `minimum_units` for `minimumUnits`. */
export function attributeName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
