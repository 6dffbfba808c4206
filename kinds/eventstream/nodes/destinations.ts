import { Optional, type TProperties } from '@sinclair/typebox';
import { text } from '../../schema/schema-builders.js';
import type { NodeType, NodeTypes } from './node-type.js';
import { inputSerialization, itemOrVariable } from './shared-schemas.js';
import { discriminatedObject, integer, textOrEmpty, object } from './schema-builders.js';

const inputs: NodeType['inputs'] = { from: ['sources', 'streams', 'operators'], min: 1 };
const nonEmptyText = (description: string) => text(description, { minLength: 1 });
const destination = (meaning: string, properties: TProperties): NodeType => ({
  meaning,
  properties: object(properties),
  inputs,
});
const tableNameReference = () =>
  Optional(nonEmptyText('A variable of a variable library in place of the table.'));

/** The targets of events: the destination types. */
export const destinations = (): NodeTypes => ({
  Activator: destination('An activator, which acts on events.', {
    ...itemOrVariable(),
    inputSerialization: Optional(inputSerialization()),
  }),
  CustomEndpoint: destination(
    'An endpoint of the eventstream from which an application reads events, by AMQP or Kafka.',
    {},
  ),
  Eventhouse: {
    meaning:
      'An eventhouse: one of the stack (`eventhouse: NAME`), or the database with these ids.',
    properties: discriminatedObject(
      'dataIngestionMode',
      {
        DirectIngestion: {
          ...itemOrVariable(),
          tableName: Optional(nonEmptyText('The name of an existing table.')),
          tableNameReference: tableNameReference(),
          connectionName: Optional(
            nonEmptyText('The name of the connection that the database knows.'),
          ),
          mappingRuleName: Optional(nonEmptyText('The mapping of the table.')),
        },
        ProcessedIngestion: {
          ...itemOrVariable(),
          databaseName: nonEmptyText('The database.'),
          tableName: nonEmptyText('The table; it is created if it is missing.'),
          tableNameReference: tableNameReference(),
          inputSerialization: Optional(inputSerialization()),
        },
      },
      'DirectIngestion takes events as they are, ProcessedIngestion after the operators.',
    ),
    inputs,
    propertiesFilledIn: ['dataIngestionMode', 'workspaceId', 'itemId'],
  },
  Lakehouse: destination('A table of a lakehouse.', {
    ...itemOrVariable(),
    deltaTable: nonEmptyText('The table.'),
    schema: Optional(textOrEmpty('The schema of the table. Empty: the lakehouse has none.')),
    minimumRows: Optional(
      integer('The minimum number of rows of a batch.', { minimum: 1, default: 100_000 }),
    ),
    maximumDurationInSeconds: Optional(
      integer('The maximum time that a batch waits for rows, in seconds.', {
        minimum: 1,
        default: 120,
      }),
    ),
    inputSerialization: Optional(inputSerialization()),
  }),
  Notebook: destination('A notebook that reads the events.', itemOrVariable()),
});
