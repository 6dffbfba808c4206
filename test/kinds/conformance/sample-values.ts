import type { TSchema } from '@sinclair/typebox';
import { mistakeIn, type SchemaLimits } from '../../../kinds/schema/find-mistake.js';

/** What a schema states. */
export interface Node extends SchemaLimits {
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
export function sampleOf(schema: TSchema, index = 0, wanted?: string): unknown {
  const {
    const: only,
    anyOf,
    enum: words,
    properties = {},
    required = [],
    items,
    minItems = 0,
    minimum,
    maximum,
  } = schema as Node;
  const type = wanted ?? typesOf(schema as Node)[0];
  if (only !== undefined) return only;
  if (anyOf?.[0] !== undefined) return sampleOf(anyOf[0], index);
  if (words !== undefined) return words[index % words.length];
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
  const found = samples.find(fits);
  if (found === undefined)
    throw new Error(`no sample of a text fits ${JSON.stringify(schema)}: add one`);
  if (index === 0) return found;
  const numbered = [
    idOf(index),
    `${found}${index}`,
    found.replace('thing', `thing${index}`),
    found,
  ];
  return numbered.find((text) => text !== found && fits(text)) ?? found;
}

/** The types that a schema accepts. */
export function typesOf({ type, enum: words = [], const: only }: Node): readonly string[] {
  if (type !== undefined) return [type].flat();
  return (only === undefined ? words : [only]).map((word) => typeof word);
}

/** The numbers from 0 on. */
export function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_each, index) => index);
}
