import type { TProperties, TSchema } from '@sinclair/typebox';
import { factsOf } from './facts.js';

/** A property under its name in the API. */
export interface ApiProperty {
  readonly name: string;
  readonly schema: TSchema;
}

/**
 * The properties that the API has inside of one object of a body, by their names there.
 *
 * @example apiPropertiesIn('creationPayload', eventhouse.properties).map(({ name }) => name) // ['minimumConsumptionUnits']
 */
export function apiPropertiesIn(object: string, properties: TProperties): readonly ApiProperty[] {
  return Object.values(properties).flatMap((schema) => {
    const [parent, name, ...more] = (factsOf(schema).api ?? '').split('.');
    return parent === object && name !== undefined && more.length === 0 ? [{ name, schema }] : [];
  });
}
