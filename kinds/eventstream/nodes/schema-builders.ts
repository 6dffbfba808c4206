import {
  Array as ArraySchema,
  Integer,
  Number as NumberSchema,
  Object as ObjectSchema,
  type TObject,
  type TProperties,
  type TSchema,
  Union,
  Unsafe,
} from '@sinclair/typebox';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { enumOf } from '../../schema/schema-builders.js';

/**
 * Properties that may replace required ones: variables of a variable library in place of ids, so
 * that a node with a `connectionReference` needs no `dataConnectionId`; and `aggregateFunction`, as
 * published examples spell it.
 */
const substitutes: Readonly<Record<string, readonly string[]>> = {
  aggregateFunction: ['aggregationFunction'],
  connectionReference: ['dataConnectionId'],
  itemReference: ['workspaceId', 'itemId'],
  tableNameReference: ['tableName'],
  tableNamesReference: ['tableNames'],
};

/**
 * An object in an eventstream's document. Unknown properties pass, since the service adds some,
 * unless they look like a misspelt known one.
 */
export function object<Properties extends TProperties>(
  properties: Properties,
  description = '',
): TObject<Properties> {
  return ObjectSchema(properties, {
    ...(description !== '' && { description }),
    ...substitutesIn(properties),
  });
}

function substitutesIn(properties: TProperties): {
  'x-substitutes'?: Readonly<Record<string, readonly string[]>>;
} {
  const entries = Object.entries(substitutes).filter(([name]) => name in properties);
  return entries.length === 0 ? {} : { 'x-substitutes': Object.fromEntries(entries) };
}

/**
 * An object whose properties depend on the value of one of them; values with the same properties
 * are joined: `A | B`.
 */
export function discriminatedObject(
  discriminator: string,
  cases: Readonly<Record<string, TProperties>>,
  description: string,
): TSchema {
  const members = Object.entries(cases).map(([values, properties]) =>
    ObjectSchema(
      { [discriminator]: enumOf(values.split(' | ')), ...properties },
      substitutesIn(properties),
    ),
  );
  return Union(members, { description, 'x-discriminator': discriminator });
}

/** A schema shared by many nodes: the constructs' props use this name. */
export function shareSchema<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, 'x-name': name };
}

/** A list. */
export function listOf(schema: TSchema, description: string, minItems?: number): TSchema {
  return ArraySchema(schema, { description, ...omitUndefined({ minItems }) });
}

/** A text that may be empty. */
export function textOrEmpty(description: string): TSchema {
  return Unsafe<string>({ type: 'string', description, 'x-may-be-empty': true });
}

/** A number with a fraction. */
export function decimal(
  description: string,
  limits: { minimum?: number; maximum?: number } = {},
): TSchema {
  return NumberSchema({ ...limits, description });
}

/** An integer. */
export function integer(
  description: string,
  limits: { minimum?: number; maximum?: number; default?: number } = {},
): TSchema {
  return Integer({ ...limits, description });
}

/** Any value: what the service accepts here is not published. */
export function anyValue(description: string): TSchema {
  return Unsafe<unknown>({ description });
}

/** One of several forms, distinguished by their JSON type: an object, or a list of objects. */
export function anyOf(schemas: readonly TSchema[], description: string): TSchema {
  return Union([...schemas], { description });
}
