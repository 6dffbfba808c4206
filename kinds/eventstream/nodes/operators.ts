import { Optional, type TProperties } from '@sinclair/typebox';
import { boolean, text, enumOf } from '../../schema/schema-builders.js';
import type { NodeType, NodeTypes } from './node-type.js';
import { column, columnType, duration } from './shared-schemas.js';
import {
  anyValue,
  discriminatedObject,
  anyOf,
  integer,
  listOf,
  object,
} from './schema-builders.js';

const inputs: NodeType['inputs'] = { from: ['sources', 'streams', 'operators'], min: 1 };
const nonEmptyText = (description: string) => text(description, { minLength: 1 });
const operator = (meaning: string, properties: TProperties): NodeType => ({
  meaning,
  properties: object(properties),
  inputs,
});

const comparisons = [
  'Equals',
  'NotEquals',
  'GreaterThan',
  'GreaterThanOrEquals',
  'LessThan',
  'LessThanOrEquals',
];
const textTests = [
  'Contains',
  'DoesNotContain',
  'StartsWith',
  'DoesNotStartWith',
  'EndsWith',
  'DoesNotEndWith',
];
const emptyTests = ['IsEmpty', 'IsNull', 'IsNotNull', 'IsNotNullOrEmpty'];

const value = () =>
  object(
    { value: anyValue('The value.'), dataType: Optional(columnType('The type of the value.')) },
    'The value that the column is compared with.',
  );
const conditionWithValue = () => ({ column: column('The column that is tested.'), value: value() });
const conditionWithoutValue = () => ({
  column: column('The column that is tested.'),
  value: Optional(anyValue('Not used by these operators.')),
});

/** A condition of a filter: comparisons need a value, tests for emptiness do not. */
const condition = () =>
  discriminatedObject(
    'operatorType',
    {
      [[...comparisons, ...textTests].join(' | ')]: conditionWithValue(),
      [emptyTests.join(' | ')]: conditionWithoutValue(),
    },
    'A test of one column.',
  );

const aggregationFunction = () =>
  enumOf(
    [
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
    ],
    { description: 'The function.' },
  );
const aggregation = () => ({
  aggregationFunction: aggregationFunction(),
  aggregateFunction: Optional(aggregationFunction()),
  column: column('The column that it is computed from.'),
  alias: Optional(nonEmptyText('The name of the new column.')),
  arguments: Optional(anyValue('What the function needs besides, such as the percentile.')),
  partitionBy: Optional(anyValue('The columns by whose values events are aggregated separately.')),
});

const window = () =>
  discriminatedObject(
    'type',
    {
      Tumbling: {
        properties: object({
          duration: duration('The length of a window.'),
          offset: Optional(duration('The offset of the first window.')),
        }),
      },
      Hopping: {
        properties: object({
          hopSize: duration('The hop: the distance between the starts of two windows.'),
          duration: duration('The length of a window.'),
          offset: Optional(duration('The offset of the first window.')),
        }),
      },
      Sliding: { properties: object({ duration: duration('The length of a window.') }) },
      Snapshot: { properties: Optional(object({})) },
      Session: {
        properties: object({
          maxDuration: duration('The maximum length of a session.'),
          timeout: duration('The timeout: a session ends after this time without events.'),
          partitionBy: Optional(
            anyValue('The columns by whose values sessions are kept separately.'),
          ),
        }),
      },
    },
    'The windows of time: Tumbling, Hopping, Sliding, Snapshot or Session.',
  );

/** Transformations of events: the operator types. */
export const operators = (): NodeTypes => ({
  Filter: operator('Lets events through that satisfy every condition.', {
    conditions: listOf(condition(), 'The conditions.', 1),
  }),
  Join: {
    meaning: 'Joins the events of two nodes.',
    properties: object({
      joinType: enumOf(['Inner', 'LeftOuter'], {
        description: 'The type of the join: whether events without a partner are dropped.',
      }),
      joinOn: Optional(
        listOf(
          object({
            left: column('A column of the first node.'),
            right: column('A column of the second.'),
          }),
          'The columns that agree.',
        ),
      ),
      duration: duration('The maximum time between two joined events.'),
    }),
    inputs: { ...inputs, min: 2, max: 2 },
  },
  ManageFields: operator(
    'Renames, converts, computes and drops columns: what is not listed is dropped.',
    {
      columns: listOf(
        object({
          type: enumOf(['Rename', 'Cast', 'FunctionCall'], { description: 'The kind of change.' }),
          alias: Optional(nonEmptyText('The name of the new column.')),
          properties: Optional(
            anyValue(
              'Rename: column. Cast: column, targetDataType. FunctionCall: functionName, arguments.',
            ),
          ),
        }),
        'The columns to keep.',
        1,
      ),
    },
  ),
  Aggregate: operator('Adds a value that is computed over a time.', {
    aggregations: listOf(
      object({ ...aggregation(), duration: duration('The time that it is computed over.') }),
      'The values.',
      1,
    ),
  }),
  GroupBy: operator('Combines the events of a window of time into one.', {
    aggregations: listOf(object(aggregation()), 'The values.', 1),
    groupBy: listOf(
      column('A column.'),
      'The columns by whose values events are grouped separately.',
    ),
    window: window(),
  }),
  Union: {
    meaning: 'Merges the events of several nodes: columns of the same name and type are kept.',
    properties: object({}),
    inputs,
    canOmitProperties: true,
  },
  Expand: operator('Creates an event for each entry of an array.', {
    column: anyOf(
      [
        column('The column of type Array.'),
        listOf(column('A column of type Array.'), 'The columns.'),
      ],
      'The column of type Array.',
    ),
    ignoreMissingOrEmpty: Optional(boolean('Whether events without the array are dropped.')),
  }),
  SQL: operator('Runs a query in the Stream Analytics query language.', {
    query: nonEmptyText('The query.'),
    advancedSettings: Optional(
      object(
        {
          eventsOutOfOrderPolicy: Optional(
            enumOf(['Adjust', 'Drop'], { description: 'What happens to events out of order.' }),
          ),
          eventsOutOfOrderMaxDelayInSeconds: Optional(
            integer('How far out of order an event may be, in seconds.'),
          ),
          eventsLateArrivalMaxDelayInSeconds: Optional(
            integer('How late an event may be, in seconds.'),
          ),
        },
        'How late events are treated.',
      ),
    ),
  }),
});
