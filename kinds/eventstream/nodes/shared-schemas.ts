import { Optional, Unsafe } from '@sinclair/typebox';
import { guid, text, enumOf } from '../../schema/schema-builders.js';
import {
  anyValue,
  discriminatedObject,
  integer,
  listOf,
  object,
  shareSchema,
} from './schema-builders.js';

/** The version of the document. */
export const compatibilityLevel = enumOf(['1.0', '1.1'], {
  description: 'The version of the document.',
  default: '1.0',
});

/** The connection that a source uses, by id or by a variable that contains it. */
export const connection = () => ({
  dataConnectionId: guid(
    'The id of the connection, made in the portal, that holds address and credentials.',
  ),
  connectionReference: Optional(
    text('A variable of a variable library in place of the id: `$(/**/LIBRARY/VARIABLE)`.', {
      minLength: 1,
    }),
  ),
});

/** An item of a workspace, by its ids. */
export const item = () => ({
  workspaceId: guid('The id of the workspace that holds the item.'),
  itemId: guid('The id of the item.'),
});

/** An item of a workspace, by its ids or by a variable that contains them. */
export const itemOrVariable = () => ({
  ...item(),
  itemReference: Optional(
    text('A variable of a variable library in place of both ids: `$(/**/LIBRARY/VARIABLE)`.', {
      minLength: 1,
    }),
  ),
});

const encoding = () =>
  Optional(enumOf(['UTF8'], { description: 'The character encoding.', default: 'UTF8' }));

/** The serialization of events. */
export const inputSerialization = () =>
  shareSchema(
    'EventstreamSerialization',
    discriminatedObject(
      'type',
      {
        Json: { properties: Optional(object({ encoding: encoding() })) },
        Csv: {
          properties: object({
            fieldDelimiter: text('The separator between fields: a comma or a tab.', {
              minLength: 1,
            }),
            encoding: encoding(),
            format: Optional(
              enumOf(['WithHeaders', 'WithoutHeaders'], {
                description: 'Whether the first line names the fields.',
              }),
            ),
          }),
        },
        Avro: { properties: Optional(object({})) },
      },
      'The format of events: Json, Csv or Avro.',
    ),
  );

/** The type of a column. */
export const columnType = (description: string) =>
  enumOf(['BigInt', 'Float', 'Nvarchar(max)', 'DateTime', 'Bit', 'Record', 'Array', 'Any'], {
    description,
  });

/** A column of a node's input. */
export const column = (description: string) =>
  shareSchema(
    'EventstreamColumn',
    object(
      {
        node: Optional(
          Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The node that the column comes from. Default: the only one.',
          }),
        ),
        columnName: text('The name of the column.', { minLength: 1 }),
        columnPathSegments: Optional(
          listOf(
            anyValue('A field below the last one.'),
            'The path to a field of a column of type Record.',
          ),
        ),
      },
      description,
    ),
  );

/** A duration. */
export const duration = (description: string) =>
  shareSchema(
    'EventstreamDuration',
    object(
      {
        value: integer('The number of units.', { minimum: 0 }),
        unit: enumOf(
          [
            'Microsecond',
            'Millisecond',
            'Second',
            'Minute',
            'Hour',
            'Day',
            'Week',
            'Month',
            'Year',
          ],
          {
            description: 'The unit.',
          },
        ),
      },
      description,
    ),
  );

/** The columns of a node's inputs, as the portal writes them. */
export const inputSchemas = () =>
  Optional(
    listOf(
      shareSchema(
        'EventstreamInputSchema',
        object({
          name: text('The node that the columns come from.', { minLength: 1 }),
          schema: Optional(
            object({
              columns: Optional(
                listOf(
                  object({
                    name: text('The name of the column.', { minLength: 1 }),
                    type: columnType('The type of the column.'),
                    fields: Optional(anyValue('The fields of a Record.')),
                    items: Optional(anyValue('The type of the entries of an Array.')),
                  }),
                  'The columns.',
                ),
              ),
            }),
          ),
        }),
      ),
      'The columns of the inputs.',
    ),
  );
