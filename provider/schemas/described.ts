import type { TSchema } from '@sinclair/typebox';
import { mistakeIn } from '../../kinds/schema/judge.js';
import type { Check } from './schema.js';

/** Holds an attribute against the description of its property. */
export function described(schema: TSchema): Check {
  return (value, name) => {
    const mistake = mistakeIn(schema, schema['type'] === 'number' || schema['type'] === 'integer' ? Number(value) : value);
    return mistake === undefined ? undefined : `${name} is not allowed: ${mistake.words}`;
  };
}
