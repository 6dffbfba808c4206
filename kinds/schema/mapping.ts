import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { metadataOf, pathOf, type Place, type PlaceFormat } from './property-metadata.js';
import { isAcceptedByApi } from './find-mistake.js';
import type { Kind, TerraformTypes } from './kind.js';
import {
  undefinedIfEmpty,
  listReader,
  mapReader,
  emptyObjectIfPresent,
  type Read,
  secretReferenceOf,
  omitUnset,
  formatReader,
} from './readers.js';
import { valueAtPath, stepsOf } from './path-steps.js';

/**
 * How to read one property of a declaration from a resource's attributes, or from the `properties`
 * of a body.
 */
export interface Mapping {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  /** Converts the attribute to the declared value; undefined if it declares nothing. */
  readonly read?: Read;
  /** The description of the property. */
  readonly schema?: TSchema;
}

/** The schema of an object, a map or a list, as far as its places are needed. */
interface Node {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** The same mapping for another list entry: its paths moved below another one. */
export function moveMapping(path: ConfigPath, from: ConfigPath, mapping: Mapping): Mapping {
  return { ...mapping, attribute: [...path, ...mapping.attribute.slice(from.length)] };
}

/**
 * The mappings of a resource type to a kind, derived from the kind's description. An
 * `azapi_resource` has in its body the places of the resource manager, and elsewhere those of other
 * resources.
 *
 * @param type the type of the resource.
 * @param below the path in the declaration: `auth`.
 * @example
 * mappingsOf(containerApp, 'azurerm_container_app').find(
 *   ({ property }) => property.join('.') === 'replicas.min',
 * );
 */
export function mappingsOf(
  { terraform, schema }: { readonly terraform: TerraformTypes; readonly schema: TSchema },
  type: string,
  below: ConfigPath = [],
): readonly Mapping[] {
  const isAzapi = type === 'azapi_resource' && terraform.azapi !== undefined;
  const reader = new Reader(type, isAzapi, isAzapi || terraform.primary.includes(type));
  return reader.mappings(
    schema,
    { property: below, attribute: [], isInside: false },
    isAzapi ? ['body', 'properties'] : [],
  );
}

/** The mappings of the `properties` in a resource manager body, which are read like a resource. */
export function bodyMappingsOf(schema: TSchema): readonly Mapping[] {
  const reader = new Reader(undefined, true, false);
  return reader.mappings(schema, { property: [], attribute: [], isInside: false }, []);
}

/** A property whose places are searched, with its declared path and the place of its object. */
interface Around {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  /** Whether the object has a place of its own, which its properties are relative to. */
  readonly isInside: boolean;
}

function bodyPlaces(schema: TSchema): readonly Place[] {
  return [metadataOf(schema).body ?? []].flat() as readonly Place[];
}

/** Reads one resource type, or bodies. */
class Reader {
  /** @param type undefined for bodies, which have no places of Terraform. */
  constructor(
    private readonly type: string | undefined,
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
      if (properties !== undefined && places.length === 0)
        return this.mappings(schema as Node, { ...around, property }, base);
      return places.flatMap((place) => {
        const attribute = [...start, ...stepsOf(pathOf(place))];
        const own = {
          property,
          attribute,
          schema,
          read: this.#reader(schema, place, required.has(name)),
        };
        return properties === undefined
          ? [own]
          : [own, ...this.mappings(schema as Node, { property, attribute, isInside: true }, base)];
      });
    });
  }

  #terraformPlaces(schema: TSchema, isInside: boolean): readonly Place[] {
    const { terraform, outsideStore } = metadataOf(schema);
    const makesIt = this.makesIt || isInside;
    // the official provider fills in properties outside the main store, declared or not
    if (this.type === undefined || (this.makesIt && outsideStore === true)) return [];
    const place = placeIn(terraform, this.type, makesIt);
    return place === undefined ? [] : [place];
  }

  /** Providers use an empty text or list for unset values; a required one stays, to be checked. */
  #reader(schema: TSchema, place: Place, isRequired: boolean): Read {
    const read = this.#plainReader(schema, place, isRequired);
    return this.readsBody
      ? (value) => (isAcceptedByApi(schema, value) ? undefined : read(value))
      : read;
  }

  #plainReader(schema: TSchema, place: Place, isRequired: boolean): Read {
    const { type, items, properties, patternProperties, default: initial } = schema as Node;
    if (properties !== undefined) return emptyObjectIfPresent;
    if (schema['x-secret'] === true) return secretReferenceOf;
    if (typeof place !== 'string') return formatReader(schema, place);
    if (type === 'array') return listReader(this.#entryReader(items), isRequired);
    const [entry] = Object.values(patternProperties ?? {});
    if (entry !== undefined && entry['properties'] !== undefined)
      return mapReader(this.#objectReader(entry['properties'] as TProperties));
    // providers show defaults that no configuration declares
    if (type === 'boolean') return (value) => (value === initial ? undefined : value);
    return isRequired ? (value) => value : undefinedIfEmpty;
  }

  #entryReader(items: TSchema | undefined): Read {
    const { properties } = (items ?? {}) as Node;
    if (properties === undefined) return (entry) => entry;
    const alone = Object.keys(properties).find(
      (name) => metadataOf(properties[name] as TSchema).terraform === '.',
    );
    return alone === undefined ? this.#objectReader(properties) : (entry) => ({ [alone]: entry });
  }

  #objectReader(properties: TProperties): Read {
    const places = Object.entries(properties).flatMap(([name, schema]) => {
      const inBody = this.readsBody ? bodyPlaces(schema) : this.#terraformPlaces(schema, true);
      return inBody.map((place) => ({
        name,
        path: stepsOf(pathOf(place)),
        read: this.#reader(schema, place, false),
      }));
    });
    return (value) => {
      if (value === null || typeof value !== 'object') return value;
      return omitUnset(
        Object.fromEntries(
          places.map(({ name, path, read }) => [name, read(valueAtPath(value, path))]),
        ),
      );
    };
  }
}

/** A property and its attribute in a resource type. */
export interface PropertyPlace {
  readonly name: string;
  readonly schema: TSchema;
  /** The steps to the attribute, relative to the resource or the object. */
  readonly attribute: ConfigPath;
  readonly format: PlaceFormat;
  readonly isRequired: boolean;
}

/** The properties in resources of a type, in the order of the description. */
export function placesIn(
  { terraform, schema }: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
): readonly PropertyPlace[] {
  return placesAmong(schema, type, terraform.primary.includes(type));
}

/** The properties of an object with an attribute of its own, relative to that. */
export function placesInside(
  node: Pick<Node, 'properties' | 'required'>,
): readonly PropertyPlace[] {
  return placesAmong(node, '', true);
}

function placesAmong(
  { properties = {}, required = [] }: Pick<Node, 'properties' | 'required'>,
  type: string,
  makesIt: boolean,
): readonly PropertyPlace[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const place = placeIn(metadataOf(schema).terraform, type, makesIt);
    if (place === undefined) return [];
    const format = typeof place === 'string' ? { at: place } : place;
    return [
      {
        name,
        schema,
        attribute: stepsOf(pathOf(place)),
        format,
        isRequired: required.includes(name),
      },
    ];
  });
}

/** The place of a property in a resource type: that of all creating types, or its own. */
export function placeIn(
  terraform: ReturnType<typeof metadataOf>['terraform'],
  type: string,
  makesIt: boolean,
): Place | undefined {
  if (terraform === undefined) return undefined;
  if (typeof terraform === 'string' || 'at' in terraform)
    return makesIt ? (terraform as Place) : undefined;
  return (terraform as Readonly<Record<string, Place>>)[type];
}

/** Whether a resource type supports everything declared, as far as Terraform has places for it. */
export function isExpressible(
  kind: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
  declared: object,
): boolean {
  const places = new Set(placesIn(kind, type).map(({ name }) => name));
  return Object.entries(declared).every(([name, value]) => {
    const schema = kind.schema.properties[name];
    return (
      value === undefined ||
      places.has(name) ||
      schema === undefined ||
      metadataOf(schema).terraform === undefined
    );
  });
}

/**
 * Terraform's name of a property that only the service sets: `minimum_units` for `minimumUnits`.
 */
export function attributeName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
