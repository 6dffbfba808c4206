import type { TProperties, TSchema } from '@sinclair/typebox';
import type { TerraformPath, TerraformSpelling } from './facts.js';
import { factsOf } from './facts.js';
import type { Kind } from './kind.js';

/** A property with the place that a type of Terraform resource has for it. */
export interface Placed {
  /** Where a declaration has it: `['secret', 'expires']`. */
  readonly property: readonly string[];
  readonly schema: TSchema;
  readonly place: TerraformSpelling;
  readonly isRequired: boolean;
}

type Described = Pick<Kind, 'terraform' | 'properties' | 'schema'>;

/** What resources of a type say of a thing of a kind, and where: in the order of the description. */
export function placesIn({ terraform, properties, schema }: Described, resourceType: string): readonly Placed[] {
  return placesAmong(properties, {
    resourceType,
    makesIt: terraform.whole.includes(resourceType),
    required: new Set(schema.required ?? []),
    above: [],
  });
}

interface Search {
  readonly resourceType: string;
  readonly makesIt: boolean;
  readonly required: ReadonlySet<string>;
  readonly above: readonly string[];
}

function placesAmong(properties: TProperties, search: Search): readonly Placed[] {
  const { above, required } = search;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const property = [...above, name];
    const place = placeIn(schema, search);
    if (place !== undefined) return [{ property, schema, place, isRequired: required.has(name) }];
    const { properties: inside } = schema as { readonly properties?: TProperties };
    // an object that Terraform doesn't have has its properties in places of the resource
    const isOurs = inside !== undefined && factsOf(schema).terraform === undefined;
    return isOurs ? placesAmong(inside, { ...search, required: new Set(), above: property }) : [];
  });
}

function placeIn(schema: TSchema, { resourceType, makesIt }: Search): TerraformSpelling | undefined {
  const { terraform } = factsOf(schema);
  if (terraform === undefined) return undefined;
  if (typeof terraform === 'string' || 'at' in terraform) return makesIt ? placeOf(terraform as TerraformPath) : undefined;
  const place = (terraform as Readonly<Record<string, TerraformPath | TerraformSpelling>>)[resourceType];
  return place === undefined ? undefined : placeOf(place);
}

/** The places of the properties of an object that Terraform has as one, below that. */
export function placesInside(properties: TProperties): readonly (Omit<Placed, 'property' | 'isRequired'> & { readonly name: string })[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { terraform } = factsOf(schema);
    const isPlace = typeof terraform === 'string' || (terraform !== undefined && 'at' in terraform);
    return isPlace ? [{ name, schema, place: placeOf(terraform as TerraformPath) }] : [];
  });
}

function placeOf(place: TerraformPath | TerraformSpelling): TerraformSpelling {
  return typeof place === 'string' ? { at: place } : place;
}
