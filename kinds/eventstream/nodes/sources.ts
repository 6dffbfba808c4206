import { Optional, type TProperties } from '@sinclair/typebox';
import { boolean, guid, text, enumOf } from '../../schema/schema-builders.js';
import type { NodeType, NodeTypes } from './node-type.js';
import { connection, inputSerialization, item, itemOrVariable } from './shared-schemas.js';
import {
  anyValue,
  discriminatedObject,
  decimal,
  integer,
  listOf,
  textOrEmpty,
  object,
} from './schema-builders.js';

const nonEmptyText = (description: string) => text(description, { minLength: 1 });
const source = (meaning: string, properties: TProperties): NodeType => ({
  meaning,
  properties: object(properties),
  inputs: { from: [] },
});
const connectedSource = (meaning: string, properties: TProperties = {}): NodeType =>
  source(meaning, { ...connection(), ...properties });

const eventHub = () => ({
  consumerGroupName: nonEmptyText('The consumer group, such as $Default.'),
});
const serializedEventHub = () => ({ ...eventHub(), inputSerialization: inputSerialization() });
const startPosition = () =>
  enumOf(['Earliest', 'Latest'], {
    description: 'Where reading starts when nothing was read before.',
  });
const kafka = () => ({
  topic: nonEmptyText('The topic.'),
  consumerGroupName: nonEmptyText('The consumer group.'),
  autoOffsetReset: enumOf(['None', 'Earliest', 'Latest'], {
    description: 'Where reading starts when the group has no offset.',
    default: 'None',
  }),
});
const secureKafka = () => ({
  ...kafka(),
  saslMechanism: enumOf(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'], {
    description: 'How the client authenticates.',
  }),
  securityProtocol: enumOf(['SASL_PLAINTEXT', 'PLAINTEXT', 'SASL_SSL', 'SSL'], {
    description: 'How the connection is protected.',
  }),
});
const cdcTables = () => ({
  tableName: textOrEmpty('The tables, as SCHEMA.TABLE, separated by commas. Empty: all.'),
  tableNameReference: Optional(
    nonEmptyText('A variable of a variable library in place of the tables.'),
  ),
});
const eventScope = () =>
  enumOf(['Tenant', 'Capacity', 'Workspace', 'Item', 'SubItem'], {
    description: 'The resource whose events are read.',
  });
const eventTypes = (example: string) => ({
  includedEventTypes: Optional(
    listOf(
      nonEmptyText('An event type.'),
      `The event types to read, such as ${example}. Default: all.`,
    ),
  ),
  filters: Optional(
    anyValue('Filters of the event grid: objects with operatorType, key and values.'),
  ),
});
const keyValueList = (noun: string) =>
  Optional(
    listOf(
      object({ key: nonEmptyText('The name.'), value: Optional(anyValue('The value.')) }),
      `The ${noun} of the request.`,
    ),
  );

/** The origins of events: the source types. */
export const sources = (): NodeTypes => ({
  AmazonKinesis: connectedSource('Records of an Amazon Kinesis data stream.', {
    region: nonEmptyText('The region of the stream, such as eu-west-1.'),
    startPosition: Optional(
      nonEmptyText('Where reading starts: TRIM_HORIZON, LATEST or AT_TIMESTAMP.'),
    ),
    startTimestamp: Optional(nonEmptyText('The time to start at, with AT_TIMESTAMP.')),
  }),
  AmazonMSKKafka: connectedSource(
    'Messages of a topic in Amazon Managed Streaming for Apache Kafka.',
    secureKafka(),
  ),
  ApacheKafka: connectedSource('Messages of a topic in an Apache Kafka cluster.', secureKafka()),
  AzureBlobStorageEvents: source('Events about the blobs of a storage account.', {
    azureBlobStorageEvents: listOf(
      object({
        id: Optional(guid('The id that the service gave the subscription.')),
        azureResourceId: nonEmptyText('The resource id of the storage account.'),
        includedEventTypes: listOf(
          nonEmptyText('An event type.'),
          'The event types to read, such as Microsoft.Storage.BlobCreated.',
        ),
      }),
      'The storage accounts, each with the event types to read.',
    ),
    streamEvents: boolean('Whether events flow into the eventstream.'),
  }),
  AzureCosmosDBCDC: connectedSource('Changes in a container of Azure Cosmos DB.', {
    containerName: nonEmptyText('The container.'),
    databaseName: nonEmptyText('The database.'),
    offsetPolicy: enumOf(['Earliest', 'Latest'], { description: 'Where reading starts.' }),
  }),
  AzureDataExplorer: connectedSource('Rows of tables in an Azure Data Explorer database.', {
    databaseName: nonEmptyText('The database.'),
    tableNames: nonEmptyText('The tables, separated by commas.'),
    tableNamesReference: Optional(
      nonEmptyText('A variable of a variable library in place of the tables.'),
    ),
  }),
  AzureEventGridNamespace: source('Events of a topic in an Azure Event Grid namespace.', {
    namespaceResourceId: nonEmptyText('The resource id of the namespace.'),
    topic: nonEmptyText('The topic.'),
  }),
  AzureEventHub: connectedSource('Events of an Azure event hub.', serializedEventHub()),
  AzureEventHubExtended: connectedSource(
    'Events of an Azure event hub, with their headers and their schema.',
    {
      ...eventHub(),
      startPosition: startPosition(),
    },
  ),
  AzureIoTHub: connectedSource(
    'Messages of the devices of an Azure IoT hub.',
    serializedEventHub(),
  ),
  AzureIoTHubExtended: connectedSource(
    'Messages of the devices of an Azure IoT hub, with their headers and their schema.',
    {
      ...eventHub(),
      startPosition: Optional(startPosition()),
    },
  ),
  AzureSQLDBCDC: connectedSource('Changes in tables of an Azure SQL database.', cdcTables()),
  AzureSQLMIDBCDC: connectedSource(
    'Changes in tables of an Azure SQL managed instance.',
    cdcTables(),
  ),
  AzureServiceBus: {
    meaning: 'Messages of an Azure Service Bus queue, or of a subscription to a topic.',
    properties: discriminatedObject(
      'serviceBusType',
      {
        Topic: {
          ...connection(),
          topicOrQueueName: nonEmptyText('The topic.'),
          subscriptionName: nonEmptyText('The subscription to the topic.'),
        },
        Queue: {
          ...connection(),
          topicOrQueueName: nonEmptyText('The queue.'),
          subscriptionName: Optional(textOrEmpty('Not used with a queue.')),
        },
      },
      'A topic or a queue.',
    ),
    inputs: { from: [] },
  },
  ConfluentCloud: connectedSource('Messages of a topic in Confluent Cloud.', kafka()),
  CustomEndpoint: source(
    'Events that an application sends to an endpoint of the eventstream, by AMQP, Kafka or HTTP.',
    {},
  ),
  FabricAnomalyDetectionEvents: source('Anomalies that anomaly detectors find.', {
    itemReference: Optional(
      nonEmptyText('A variable of a variable library that names the detector.'),
    ),
    ...eventTypes('Microsoft.Fabric.AnomalyEvents.AnomalyDetected'),
  }),
  FabricCapacityOverviewEvents: source('Events about the state and use of a capacity.', {
    eventScope: eventScope(),
    capacityId: guid('The id of the capacity.'),
    ...eventTypes('Microsoft.Fabric.Capacity.Summary'),
  }),
  FabricJobEvents: source('Events about the jobs of an item.', {
    eventScope: eventScope(),
    ...item(),
    ...eventTypes('Microsoft.Fabric.JobEvents.ItemJobFailed'),
  }),
  FabricOneLakeEvents: source('Events about files and folders in OneLake.', {
    tenantId: guid('The id of the tenant.'),
    ...item(),
    oneLakePaths: listOf(
      nonEmptyText('A path, such as /Files/Events/.'),
      'The paths below the item.',
    ),
    ...eventTypes('Microsoft.Fabric.OneLake.FileCreated'),
  }),
  FabricWorkspaceItemEvents: source('Events about the items of a workspace.', {
    eventScope: eventScope(),
    workspaceId: item().workspaceId,
    itemId: Optional(item().itemId),
    ...eventTypes('Microsoft.Fabric.ItemCreateSucceeded'),
  }),
  GooglePubSub: connectedSource('Messages of a Google Cloud Pub/Sub subscription.'),
  Http: connectedSource('Responses of an HTTP endpoint that is polled.', {
    method: enumOf(['GET', 'POST'], { description: 'The method of the request.' }),
    requestHeaders: keyValueList('headers'),
    requestParameters: keyValueList('query parameters'),
    requestBody: Optional(anyValue('The body of the request.')),
    pollIntervalMs: Optional(integer('Milliseconds between two requests.')),
    maxRetries: Optional(integer('How often a failed request is repeated.')),
    retryBackoffMs: Optional(integer('Milliseconds before a request is repeated.')),
    retriableHttpStatusCodes: Optional(
      textOrEmpty('The status codes after which a request is repeated, separated by commas.'),
    ),
  }),
  MirroredDatabaseChangeFeed: source('Changes in a mirrored database.', {
    workspaceId: Optional(itemOrVariable().workspaceId),
    itemId: Optional(itemOrVariable().itemId),
    itemReference: itemOrVariable().itemReference,
  }),
  MongoDBCDC: connectedSource('Changes in a MongoDB database.'),
  Mqtt: connectedSource('Messages of an MQTT broker.', {
    topic: nonEmptyText('The topic.'),
    serverVersion: enumOf(['V3', 'V5'], { description: 'The version of the protocol.' }),
  }),
  MySQLCDC: connectedSource('Changes in tables of a MySQL database.', {
    ...cdcTables(),
    serverId: integer('The server id that the reader registers with; no other reader may have it.'),
    port: Optional(integer('The port.', { default: 3306 })),
  }),
  OracleDBCDC: connectedSource('Changes in an Oracle database.'),
  PostgreSQLCDC: connectedSource('Changes in tables of a PostgreSQL database.', {
    ...cdcTables(),
    slotName: nonEmptyText('The replication slot.'),
    port: Optional(integer('The port.', { default: 5432 })),
  }),
  RealTimeWeather: source('Weather data of a location.', {
    latitude: decimal('The latitude in degrees.', { minimum: -90, maximum: 90 }),
    longitude: decimal('The longitude in degrees.', { minimum: -180, maximum: 180 }),
  }),
  SQLServerOnVMDBCDC: connectedSource(
    'Changes in tables of an SQL Server on a virtual machine.',
    cdcTables(),
  ),
  SampleData: source('Sample events.', {
    type: enumOf(
      ['YellowTaxi', 'StockMarket', 'Bicycles', 'Buses', 'SP500Stocks', 'SemanticModelLogs'],
      { description: 'The sample.' },
    ),
  }),
  SolacePubSub: {
    meaning: 'Messages of a Solace PubSub+ broker.',
    properties: discriminatedObject(
      'pubSubType',
      {
        Topics: { ...solace(), topics: listOf(nonEmptyText('A topic.'), 'The topics.') },
        Queue: { ...solace(), queue: nonEmptyText('The queue.') },
      },
      'Topics or a queue.',
    ),
    inputs: { from: [] },
  },
});

function solace(): TProperties {
  return {
    ...connection(),
    messageVpnName: nonEmptyText('The message VPN.'),
    mapUserProperties: Optional(boolean('Whether user properties become headers.')),
    mapSolaceProperties: Optional(
      boolean('Whether standard properties of messages become headers.'),
    ),
  };
}
