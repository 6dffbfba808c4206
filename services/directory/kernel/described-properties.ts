import type { TSchema } from '@sinclair/typebox';
import { factsOf } from '../../../kinds/schema/facts.js';
import type { Kind } from '../../../kinds/schema/kind.js';
import type { Property } from './object-type.js';

/** The properties of an object type, as the description of its kind has them. */
export function describedProperties({ inApi }: Pick<Kind, 'inApi'>): Readonly<Record<string, Property>> {
  return Object.fromEntries(Object.entries(inApi).map(([name, schema]) => [name, propertyOf(schema)]));
}

function propertyOf(schema: TSchema): Property {
  const { returned, outsideStore, notNull, readOnly, absent } = factsOf(schema);
  const value: unknown = outsideStore === true && absent === undefined ? schema.default : absent;
  return {
    type: typeOf(schema),
    returned: returned ?? (outsideStore === true ? 'single' : 'default'),
    ...(value === undefined ? {} : { absent: value }),
    ...(readOnly === true ? { readOnly } : {}),
    ...(notNull === true ? { notNull } : {}),
  };
}

function typeOf(schema: TSchema): Property['type'] {
  const { type, format, items } = schema as {
    readonly type?: string;
    readonly format?: string;
    readonly items?: { readonly type?: string };
  };
  if (factsOf(schema).joinedBy !== undefined) return 'string';
  if (type === 'array') return items?.type === 'object' ? 'objects' : 'strings';
  if (format === 'date-time') return 'dateTime';
  return type === 'string' || type === 'boolean' || type === 'integer' || type === 'object' ? type : 'any';
}
