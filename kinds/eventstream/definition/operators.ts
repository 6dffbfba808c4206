import { column, columnType, duration, inputSchemas, nodeReference, runtime } from './common-shapes.js';
import { any, boolean, choice, integer, list, object, oneOf, text } from './shape.js';
import type { ObjectShape, Shape } from './shape.js';

const comparisons = ['Equals', 'NotEquals', 'GreaterThan', 'GreaterThanOrEquals', 'LessThan', 'LessThanOrEquals'];
const textTests = ['Contains', 'DoesNotContain', 'StartsWith', 'DoesNotStartWith', 'EndsWith', 'DoesNotEndWith'];
const emptyTests = ['IsEmpty', 'IsNull', 'IsNotNull', 'IsNotNullOrEmpty'];

const value = object({ value: any }, { dataType: columnType });
const withValue = object({ column, value });
const withoutValue = object({ column }, { value: any });

/** A filter's condition: comparisons need a value, tests for emptiness don't. */
const condition: Shape = choice('operatorType', {
  ...Object.fromEntries([...comparisons, ...textTests].map((word) => [word, withValue])),
  ...Object.fromEntries(emptyTests.map((word) => [word, withoutValue])),
});

const aggregationFunction = oneOf(
  'Average',
  'Count',
  'Maximum',
  'Minimum',
  'PercentileContinuous',
  'PercentileDiscrete',
  'StandardDeviation',
  'StandardDeviationPopulation',
  'Sum',
  'Variance',
  'VariancePopulation',
);
const aggregation = { aggregationFunction, column };
const partition = { partitionBy: any };

const window: Shape = choice('type', {
  Tumbling: object({ properties: object({ duration }, { offset: duration }) }),
  Hopping: object({ properties: object({ hopSize: duration, duration }, { offset: duration }) }),
  Sliding: object({ properties: object({ duration }) }),
  Snapshot: object({}, { properties: object({}) }),
  Session: object({ properties: object({ maxDuration: duration, timeout: duration }, partition) }),
});

const properties: Readonly<Record<string, ObjectShape>> = {
  Filter: object({ conditions: list(condition, 1) }),
  Join: object({ joinType: oneOf('Inner', 'LeftOuter'), duration }, { joinOn: list(object({ left: column, right: column })) }),
  ManageFields: object({
    columns: list(object({ type: oneOf('Rename', 'Cast', 'FunctionCall') }, { alias: text, properties: any }), 1),
  }),
  Aggregate: object({ aggregations: list(object({ ...aggregation, duration }, { alias: text, arguments: any, ...partition }), 1) }),
  GroupBy: object({
    aggregations: list(object(aggregation, { alias: text, arguments: any, ...partition }), 1),
    groupBy: list(column),
    window,
  }),
  Union: object({}),
  Expand: object({ column: any }, { ignoreMissingOrEmpty: boolean }),
  SQL: object(
    { query: text },
    {
      advancedSettings: object(
        {},
        {
          eventsOutOfOrderPolicy: oneOf('Adjust', 'Drop'),
          eventsOutOfOrderMaxDelayInSeconds: integer,
          eventsLateArrivalMaxDelayInSeconds: integer,
        },
      ),
    },
  ),
};

/** An operator: what is done to events on their way. A union needs no properties. */
export const operator: Shape = choice(
  'type',
  Object.fromEntries(
    Object.entries(properties).map(([type, form]) => [
      type,
      type === 'Union' ? object({}, { properties: form }) : object({ properties: form }),
    ]),
  ),
  object({ name: text, inputNodes: list(nodeReference, 1) }, { id: text, inputSchemas, ...runtime }),
);
