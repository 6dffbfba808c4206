import { any, choice, integer, list, object, oneOf, text } from './shape.js';
import type { ObjectShape, Shape } from './shape.js';

/** A reference to another node by its name. */
export const nodeReference: Shape = object({ name: text });

/** How the events of an input are encoded. */
export const serialization: Shape = choice('type', {
  Json: object({}, { properties: object({}, { encoding: oneOf('UTF8') }) }),
  Csv: object({
    properties: object({ fieldDelimiter: text }, { encoding: oneOf('UTF8'), format: oneOf('WithHeaders', 'WithoutHeaders') }),
  }),
  Avro: object({}, { properties: object({}) }),
});

const columnTypes = ['BigInt', 'Float', 'Nvarchar(max)', 'DateTime', 'Bit', 'Record', 'Array', 'Any'] as const;

/** The type of a column, for casts and filter values. */
export const columnType: Shape = oneOf(...columnTypes);

/** The columns that an input brings. */
export const inputSchemas: Shape = list(
  object({ name: text }, { schema: object({}, { columns: list(object({ name: text, type: columnType }, { fields: any, items: any })) }) }),
);

/** What the running service adds to every node; accepted, so that what was exported can be imported. */
export const runtime: ObjectShape['optional'] = { status: any, error: any };

/** A column of an input. */
export const column: Shape = object({ columnName: text }, { node: text, columnPathSegments: list(text) });

/** A length of time. */
export const duration: Shape = object({
  value: { ...integer, minimum: 0 } as Shape,
  unit: oneOf('Microsecond', 'Millisecond', 'Second', 'Minute', 'Hour', 'Day', 'Week', 'Month', 'Year'),
});
