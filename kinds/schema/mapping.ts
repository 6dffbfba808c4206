import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { metadataOf, pathOf, type Place, type FormattedPlace } from './property-metadata.js';
import { isAcceptedByApiOnly } from './find-mistake.js';
import type { Kind, TerraformTypes } from './kind.js';
import {
  undefinedIfEmpty,
  listReader,
  mapReader,
  emptyObjectIfPresent,
  type Reader,
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
  /** The path in the declaration. */
  readonly property: ConfigPath;
  /** The path in the resource's attributes, or in the body's `properties`. */
  readonly attribute: ConfigPath;
  /** Converts the attribute to the declared value; undefined if it declares nothing. */
  readonly read?: Reader;
  /** The description of the property. */
  readonly schema?: TSchema;
}

/** The keywords of a schema that lead to the places of its properties. */
interface SchemaNode {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** A mapping of an attribute below a path, with the attribute's path from there on. */
export function relativeMapping(mapping: Mapping, parentPath: ConfigPath): Mapping {
  return { ...mapping, attribute: mapping.attribute.slice(parentPath.length) };
}

/**
 * The mappings of a resource type to a kind, derived from the kind's description. An
 * `azapi_resource` has in its body the places of the resource manager, and elsewhere those of other
 * resources.
 *
 * @param type the type of the resource.
 * @param path the path in the declaration: `auth`.
 * @example
 * mappingsOf(containerApp, 'azurerm_container_app').find(
 *   ({ property }) => property.join('.') === 'replicas.min',
 * );
 */
export function mappingsOf(
  { terraform, schema }: { readonly terraform: TerraformTypes; readonly schema: TSchema },
  type: string,
  path: ConfigPath = [],
): readonly Mapping[] {
  const isAzapi = type === 'azapi_resource' && terraform.azapi !== undefined;
  const finder = new MappingFinder(
    type,
    isAzapi,
    isAzapi || terraform.resourceTypes.includes(type),
  );
  return finder.mappings(
    schema,
    { property: path, attribute: [], hasOwnPlace: false },
    isAzapi ? ['body', 'properties'] : [],
  );
}

/** The mappings of the `properties` in a resource manager body, which are read like a resource. */
export function bodyMappingsOf(schema: TSchema): readonly Mapping[] {
  const finder = new MappingFinder(undefined, true, false);
  return finder.mappings(schema, { property: [], attribute: [], hasOwnPlace: false }, []);
}

/** The object whose properties are mapped: its path in the declaration, and its own place. */
interface ObjectContext {
  /** The path of the object in the declaration. */
  readonly property: ConfigPath;
  /** The path of the place that its properties are relative to. */
  readonly attribute: ConfigPath;
  /** Whether the object has a place of its own, which its properties are relative to. */
  readonly hasOwnPlace: boolean;
}

function bodyPlaces(schema: TSchema): readonly Place[] {
  return [metadataOf(schema).body ?? []].flat() as readonly Place[];
}

/** Finds the mappings of one resource type, or of bodies. */
class MappingFinder {
  /** @param type undefined for bodies, which have no places of Terraform. */
  constructor(
    private readonly type: string | undefined,
    private readonly readsBody: boolean,
    private readonly isPrimary: boolean,
  ) {}

  mappings(node: SchemaNode, object: ObjectContext, bodyPath: ConfigPath): readonly Mapping[] {
    const required = new Set(node.required ?? []);
    return Object.entries(node.properties ?? {}).flatMap(([name, schema]): readonly Mapping[] => {
      const property = [...object.property, name];
      const placesInBody = this.readsBody ? bodyPlaces(schema) : [];
      const places =
        placesInBody.length > 0 ? placesInBody : this.#terraformPlaces(schema, object.hasOwnPlace);
      const start = object.hasOwnPlace || placesInBody.length === 0 ? object.attribute : bodyPath;
      const { properties } = schema as SchemaNode;
      if (properties !== undefined && places.length === 0)
        return this.mappings(schema as SchemaNode, { ...object, property }, bodyPath);
      return places.flatMap((place) => {
        const attribute = [...start, ...stepsOf(pathOf(place))];
        const mapping = {
          property,
          attribute,
          schema,
          read: this.#reader(schema, place, required.has(name)),
        };
        return properties === undefined
          ? [mapping]
          : [
              mapping,
              ...this.mappings(
                schema as SchemaNode,
                { property, attribute, hasOwnPlace: true },
                bodyPath,
              ),
            ];
      });
    });
  }

  #terraformPlaces(schema: TSchema, hasOwnPlace: boolean): readonly Place[] {
    const { terraform, outsideMainStore } = metadataOf(schema);
    // the official provider fills in properties outside the main store, declared or not
    if (this.type === undefined || (this.isPrimary && outsideMainStore === true)) return [];
    const role = this.isPrimary || hasOwnPlace ? 'primary' : 'additional';
    const place = placeInResourceType(terraform, this.type, role);
    return place === undefined ? [] : [place];
  }

  /** Providers use an empty text or list for unset values; a required one stays, to be checked. */
  #reader(schema: TSchema, place: Place, isRequired: boolean): Reader {
    const read = this.#plainReader(schema, place, isRequired);
    return this.readsBody
      ? (value) => (isAcceptedByApiOnly(schema, value) ? undefined : read(value))
      : read;
  }

  #plainReader(schema: TSchema, place: Place, isRequired: boolean): Reader {
    const {
      type,
      items,
      properties,
      patternProperties,
      default: defaultValue,
    } = schema as SchemaNode;
    if (properties !== undefined) return emptyObjectIfPresent;
    if (schema['x-secret'] === true) return secretReferenceOf;
    if (typeof place !== 'string') return formatReader(schema, place);
    if (type === 'array') return listReader(this.#entryReader(items), isRequired);
    const [entry] = Object.values(patternProperties ?? {});
    if (entry !== undefined && entry['properties'] !== undefined)
      return mapReader(this.#objectReader(entry['properties'] as TProperties));
    // providers show defaults that no configuration declares
    if (type === 'boolean') return (value) => (value === defaultValue ? undefined : value);
    return isRequired ? (value) => value : undefinedIfEmpty;
  }

  #entryReader(items: TSchema | undefined): Reader {
    const { properties } = (items ?? {}) as SchemaNode;
    if (properties === undefined) return (entry) => entry;
    const onlyProperty = Object.keys(properties).find(
      (name) => metadataOf(properties[name] as TSchema).terraform === '.',
    );
    return onlyProperty === undefined
      ? this.#objectReader(properties)
      : (entry) => ({ [onlyProperty]: entry });
  }

  #objectReader(properties: TProperties): Reader {
    const places = Object.entries(properties).flatMap(([name, schema]) => {
      const placesOfProperty = this.readsBody
        ? bodyPlaces(schema)
        : this.#terraformPlaces(schema, true);
      return placesOfProperty.map((place) => ({
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
export interface PropertyAttribute {
  /** The name of the property in a declaration. */
  readonly name: string;
  readonly schema: TSchema;
  /** The steps to the attribute, relative to the resource or the object. */
  readonly attribute: ConfigPath;
  /** Where the attribute is, and how its value differs from the declared one. */
  readonly format: FormattedPlace;
  readonly isRequired: boolean;
}

/**
 * The properties that a resource type has, with their attributes, in the order of the description.
 */
export function attributesInResource(
  { terraform, schema }: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
): readonly PropertyAttribute[] {
  return propertyAttributes(
    schema,
    type,
    terraform.resourceTypes.includes(type) ? 'primary' : 'additional',
  );
}

/** The properties of an object with an attribute of its own, relative to that. */
export function attributesInObject(
  node: Pick<SchemaNode, 'properties' | 'required'>,
): readonly PropertyAttribute[] {
  return propertyAttributes(node, '', 'primary');
}

function propertyAttributes(
  { properties = {}, required = [] }: Pick<SchemaNode, 'properties' | 'required'>,
  type: string,
  role: TypeRole,
): readonly PropertyAttribute[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const place = placeInResourceType(metadataOf(schema).terraform, type, role);
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

/** Whether a resource type creates the kind, or adds properties to it. */
type TypeRole = 'primary' | 'additional';

/** The place of a property in a resource type: the type's own, or that of all primary types. */
export function placeInResourceType(
  terraform: ReturnType<typeof metadataOf>['terraform'],
  type: string,
  role: TypeRole,
): Place | undefined {
  if (terraform === undefined) return undefined;
  if (typeof terraform === 'string' || 'at' in terraform)
    return role === 'primary' ? (terraform as Place) : undefined;
  return (terraform as Readonly<Record<string, Place>>)[type];
}

/** Whether a resource type has a place for each declared property that Terraform has one for. */
export function isExpressible(
  kind: Pick<Kind, 'terraform' | 'schema'>,
  type: string,
  declared: object,
): boolean {
  const places = new Set(attributesInResource(kind, type).map(({ name }) => name));
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
 * Terraform's name for a property of an answer: `minimum_consumption_units` for
 * `minimumConsumptionUnits`.
 */
export function attributeName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
