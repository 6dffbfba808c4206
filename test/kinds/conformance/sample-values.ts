import type { TSchema } from '@sinclair/typebox';
import { mistakeIn, type SchemaLimits } from '../../../kinds/schema/find-mistake.js';

/** The keywords of a schema that its samples depend on. */
export interface SchemaKeywords extends SchemaLimits {
  readonly const?: unknown;
  readonly anyOf?: readonly TSchema[];
}

/** The id of an object that the services of the test hold, by a number. */
export const idOf = (index: number): string =>
  `6f1d2c3b-1111-4222-8333-${String(index).padStart(12, '0')}`;

/**
 * Texts of every form that a description demands: the first that fits is a property's sample. A new
 * form needs one here.
 */
export const samples = [
  'thing',
  'Thing',
  idOf(0),
  '/thing',
  'https://thing.example/',
  'https://thing.example',
  'keyvault:https://vault.example/secrets/thing',
  '08:00:00',
  'key=value',
  '0.5Gi',
  'v19.0',
  'EUR',
  'en',
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/thing',
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.OperationalInsights/workspaces/thing',
  '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Network/virtualNetworks/thing/subnets/thing',
  '203.0.113.0/24',
  '2027-05-01T00:00:00Z',
  'ada@thing.example',
  '0123456789abcdef0123456789abcdef01234567',
  'user.city -eq "Rome"',
];
/** Texts that are right in one form and wrong in another. */
export const oddities = [
  'a b',
  'ä',
  'EURO',
  'eur',
  'en-US',
  'xx-US',
  '/a/../b',
  '/a%2fb',
  '//',
  'http://thing.example/',
  'http://localhost/cb',
  '-thing',
  'https://*.thing.example/cb',
  'https://thing.example/#top',
  'urn:thing:cb',
  '99999.00:00:00',
  '24:00:00',
  '00:00:00',
  'My workspace',
];

/** A value that a schema takes; of a list, its entry of that index. */
export function sampleOf(schema: TSchema, index = 0, wantedType?: string): unknown {
  const {
    const: constant,
    anyOf,
    enum: enumValues,
    properties = {},
    required = [],
    items,
    minItems = 0,
    minimum,
    maximum,
  } = schema as SchemaKeywords;
  const type = wantedType ?? typesOf(schema as SchemaKeywords)[0];
  if (constant !== undefined) return constant;
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0], index);
  if (enumValues !== undefined) return enumValues[index % enumValues.length];
  if (type === 'object')
    return Object.fromEntries(
      required.map((name) => [name, sampleOf(properties[name] as TSchema, index)]),
    );
  if (type === 'array')
    return items === undefined ? [] : range(minItems).map((each) => sampleOf(items, each));
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return minimum ?? maximum ?? 0;
  return sampleText(schema, index);
}

/** A text that fits; the first, or another one by its number. */
export function sampleText(schema: TSchema, index: number): string {
  if ('x-references' in schema) return idOf(index);
  const fits = (text: string): boolean => mistakeIn(schema, text) === undefined;
  const first = samples.find(fits);
  if (first === undefined)
    throw new Error(`no sample of a text fits ${JSON.stringify(schema)}: add one`);
  if (index === 0) return first;
  const numbered = [
    idOf(index),
    `${first}${index}`,
    first.replace('thing', `thing${index}`),
    first,
  ];
  return numbered.find((text) => text !== first && fits(text)) ?? first;
}

/** The types that a schema accepts. */
export function typesOf({
  type,
  enum: enumValues = [],
  const: constant,
}: SchemaKeywords): readonly string[] {
  if (type !== undefined) return [type].flat();
  return (constant === undefined ? enumValues : [constant]).map((word) => typeof word);
}

/** The numbers from 0 up to, but without, the count. */
export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_each, index) => index);
}
