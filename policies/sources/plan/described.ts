import type { TProperties, TSchema } from '@sinclair/typebox';
import type { TerraformSpelling } from '../../../kinds/schema/facts.js';
import { factsOf } from '../../../kinds/schema/facts.js';
import type { Kind } from '../../../kinds/schema/kind.js';
import { placesIn, placesInside } from '../../../kinds/schema/places.js';
import type { Mapping } from './mapping.js';
import { at, eachOf, map, notEmpty, setOnly, text, wordOf } from './mapping.js';

type Convert = (value: unknown) => unknown;

/** The schema of an object or a list, as far as its places are read. */
interface Node {
  readonly type?: string;
  readonly items?: TSchema;
  readonly properties?: TProperties;
}

/** How resources of a type say what a thing of a kind is: read from the description of the kind. */
export function mappingsOf(kind: Kind, resourceType: string): readonly Mapping[] {
  const makesIt = kind.terraform.whole.includes(resourceType);
  return placesIn(kind, resourceType).flatMap(({ property, schema, place, isRequired }) => {
    // the official provider fills in what is kept outside the main store, declared or not
    if (makesIt && factsOf(schema).outsideStore === true) return [];
    return [map(property.join('.'), place.at, conversionOf(schema, place, isRequired))];
  });
}

/** A provider says that nothing is set by an empty text or list; what is required stays as it is, to be judged. */
function conversionOf(schema: TSchema, place: TerraformSpelling, isRequired: boolean): Convert {
  const { type, items, properties } = schema as Node;
  const { words, among, take, instant } = place;
  if (words !== undefined) return (value) => text(ourWords(words)(value));
  if (among !== undefined && take !== undefined) return (list) => notEmpty(taken(list, among, take));
  if (instant === true) return (value) => (typeof value === 'string' ? text(value.replace(/\.\d+Z$/, 'Z')) : undefined);
  if (type === 'array') return (list) => eachOfEntries(items)(isRequired ? list : notEmpty(list));
  if (properties !== undefined) return objectOf(properties);
  // a provider shows defaults that no configuration declares
  if (type === 'boolean') return (value) => (value === (schema.default as unknown) ? undefined : value);
  return isRequired ? (value) => value : text;
}

function eachOfEntries(items: TSchema | undefined): Convert {
  const { properties } = (items ?? {}) as Node;
  if (properties === undefined) return (list) => list;
  const alone = placesInside(properties).find(({ place }) => place.at === '.');
  if (alone === undefined) return eachOf((entry) => objectOf(properties)(entry));
  return (list) => (Array.isArray(list) ? list.map((entry: unknown) => ({ [alone.name]: entry })) : list);
}

function objectOf(properties: TProperties): Convert {
  const places = placesInside(properties).map(({ name, schema, place }) => ({
    name,
    path: place.at.split('.'),
    convert: conversionOf(schema, place, false),
  }));
  return (value) =>
    value === null || typeof value !== 'object'
      ? value
      : setOnly(Object.fromEntries(places.map(({ name, path, convert }) => [name, convert(at(value, path))])));
}

/** What the entries of a list have under a name, of those that hold some values. */
function taken(list: unknown, among: Readonly<Record<string, string>>, take: string): readonly unknown[] {
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry) =>
    Object.entries(among).every(([name, value]) => at(entry, [name]) === value) ? [at(entry, [take])] : [],
  );
}

/** Our words for Terraform's. */
function ourWords(words: NonNullable<TerraformSpelling['words']>): Convert {
  const ours = Object.fromEntries(Object.entries(words).map(([our, theirs]) => [String(theirs), our]));
  const isFlag = Object.values(words).some((theirs) => typeof theirs === 'boolean');
  return (value) => wordOf(ours)(isFlag && typeof value === 'boolean' ? String(value) : value);
}
