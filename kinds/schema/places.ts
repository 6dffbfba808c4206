import type { TProperties, TSchema } from '@sinclair/typebox';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { factsOf, pathOf, type Place, type Spelling } from './facts.js';
import type { Kind } from './kind.js';
import { stepsOf } from './steps.js';

/** A property and the attribute that a type of resource has for it. */
export interface Placed {
  readonly name: string;
  readonly schema: TSchema;
  /** The steps to the attribute, below the resource or the object that has the property. */
  readonly attribute: ConfigPath;
  readonly spelling: Spelling;
  readonly isRequired: boolean;
}

/** The properties that resources of a type have, in the order of the description. */
export function placesIn({ terraform, schema }: Pick<Kind, 'terraform' | 'schema'>, type: string): readonly Placed[] {
  return placesAmong(schema, (place) => (typeof place === 'string' || 'at' in place ? terraform.whole.includes(type) : type));
}

/** The properties of an object that has an attribute of its own: below that. */
export function placesInside(node: { readonly properties: TProperties; readonly required?: string[] }): readonly Placed[] {
  return placesAmong(node, () => true);
}

function placesAmong(
  { properties, required = [] }: { readonly properties: TProperties; readonly required?: string[] },
  choose: (place: NonNullable<ReturnType<typeof factsOf>['terraform']>) => boolean | string,
): readonly Placed[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { terraform } = factsOf(schema);
    const chosen = terraform === undefined ? false : choose(terraform);
    const place = typeof chosen === 'string' ? (terraform as Readonly<Record<string, Place>>)[chosen] : chosen && (terraform as Place);
    if (place === undefined || place === false) return [];
    const spelling = typeof place === 'string' ? { at: place } : place;
    return [{ name, schema, attribute: stepsOf(pathOf(place)), spelling, isRequired: required.includes(name) }];
  });
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
