import type { TProperties, TSchema } from '@sinclair/typebox';
import type { TerraformPath, TerraformWords } from '../../../kinds/schema/facts.js';
import { factsOf } from '../../../kinds/schema/facts.js';
import type { Kind } from '../../../kinds/schema/kind.js';
import type { Mapping } from './mapping.js';
import { at, eachOf, map, notEmpty, setOnly, text, wordOf } from './mapping.js';

type Convert = (value: unknown) => unknown;
type Place = TerraformPath | TerraformWords;

/** The schema of an object or a list, as far as its places are read. */
interface Node {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
}

/** How resources of a type say what a thing of a kind is: read from the description of the kind. */
export function mappingsOf({ terraform, properties, schema }: Kind, resourceType: string): readonly Mapping[] {
  const makesIt = terraform.whole.includes(resourceType);
  const required = new Set(schema.required ?? []);
  return Object.entries(properties).flatMap(([property, each]) => {
    const place = placeIn(each, resourceType, makesIt);
    if (place === undefined) return [];
    return [map(property, pathOf(place), conversionOf(each, place, required.has(property)))];
  });
}

function placeIn(schema: TSchema, resourceType: string, makesIt: boolean): Place | undefined {
  const { terraform, outsideStore } = factsOf(schema);
  // the official provider fills in what is kept outside the main store, declared or not
  if (makesIt && outsideStore === true) return undefined;
  if (typeof terraform === 'string' || (terraform !== undefined && 'at' in terraform)) return makesIt ? (terraform as Place) : undefined;
  return (terraform as Readonly<Record<string, Place>> | undefined)?.[resourceType];
}

function pathOf(place: Place): string {
  return typeof place === 'string' ? place : place.at;
}

/** A provider says that nothing is set by an empty text or list; what is required stays as it is, to be judged. */
function conversionOf(schema: TSchema, place: Place, isRequired: boolean): Convert {
  const { type, items, properties } = schema as Node;
  const spelled = typeof place === 'string' ? undefined : ourWords(place);
  if (spelled !== undefined) return (value) => text(spelled(value));
  if (type === 'array') return (list) => eachOfEntries(items)(isRequired ? list : notEmpty(list));
  if (properties !== undefined) return objectOf(properties);
  // a provider shows defaults that no configuration declares
  if (type === 'boolean') return (value) => (value === (schema.default as unknown) ? undefined : value);
  return isRequired ? (value) => value : text;
}

function eachOfEntries(items: TSchema | undefined): Convert {
  const { properties } = (items ?? {}) as Node;
  if (properties === undefined) return (list) => list;
  const alone = Object.keys(properties).find((name) => factsOf(properties[name] as TSchema).terraform === '.');
  if (alone === undefined) return eachOf((entry) => objectOf(properties)(entry));
  return (list) => (Array.isArray(list) ? list.map((entry: unknown) => ({ [alone]: entry })) : list);
}

function objectOf(properties: TProperties): Convert {
  const places = Object.entries(properties).flatMap(([name, schema]) => {
    const { terraform } = factsOf(schema);
    return typeof terraform === 'string' ? [{ name, path: terraform.split('.'), convert: conversionOf(schema, terraform, false) }] : [];
  });
  return (value) =>
    value === null || typeof value !== 'object'
      ? value
      : setOnly(Object.fromEntries(places.map(({ name, path, convert }) => [name, convert(at(value, path))])));
}

/** Our words for Terraform's. */
function ourWords({ words }: TerraformWords): Convert {
  const ours = Object.fromEntries(Object.entries(words).map(([our, theirs]) => [String(theirs), our]));
  const isFlag = Object.values(words).some((theirs) => typeof theirs === 'boolean');
  return (value) => wordOf(ours)(isFlag && typeof value === 'boolean' ? String(value) : value);
}
