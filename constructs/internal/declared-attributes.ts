import type { TProperties, TSchema } from '@sinclair/typebox';
import { isObject } from '../../core/values/is-object.js';
import type { Kind } from '../../kinds/schema/kind.js';
import { type Placed, placesIn, placesInside } from '../../kinds/schema/mapping.js';
import { literalText } from './literal-text.js';
import { normalizedId } from './object-id.js';
import type { Attributes } from './plain-resource.js';

/**
 * What is declared of a thing, as the attributes of a type of resource that its description names. Texts keep their `${`, ids are in lower
 * case; references must be ids by now.
 *
 * @example attributesOf(eventhouse, 'fabric_eventhouse', { displayName: 'clicks' }) // { display_name: 'clicks' }
 */
export function attributesOf(kind: Pick<Kind, 'terraform' | 'schema'>, type: string, declared: object): Attributes {
  return attributesAt(placesIn(kind, type), declared as Readonly<Record<string, unknown>>);
}

function attributesAt(places: readonly Placed[], declared: Readonly<Record<string, unknown>>): Attributes {
  const attributes: Record<string, unknown> = {};
  for (const placed of places) {
    const value = declared[placed.name];
    if (value === undefined || value === null) continue;
    const [first, ...inner] = placed.attribute as [string, ...string[]];
    attributes[first] = inner.reduceRight<unknown>((inside, step) => ({ [step]: inside }), attributeOf(placed, value));
  }
  return attributes;
}

function attributeOf({ schema, spelling }: Pick<Placed, 'schema' | 'spelling'>, value: unknown): unknown {
  if (typeof value === 'string') return spelling.words?.[value] ?? normalizedId(literalText(value));
  if (Array.isArray(value)) return value.map((each: unknown) => entryOf(schema['items'] as TSchema | undefined, each));
  const { properties } = schema as { readonly properties?: TProperties };
  return isObject(value) && properties !== undefined ? attributesAt(placesInside({ properties }), value) : value;
}

function entryOf(schema: TSchema = {} as TSchema, entry: unknown): unknown {
  const places = placesInside({ properties: (schema['properties'] ?? {}) as TProperties });
  const alone = places.find(({ spelling }) => spelling.at === '.');
  return isObject(entry) && alone !== undefined
    ? attributeOf(alone, entry[alone.name])
    : attributeOf({ schema, spelling: { at: '.' } }, entry);
}
