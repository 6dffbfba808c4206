import { inputSchemas, runtime, serialization } from './common-shapes.js';
import { any, boolean, choice, integer, list, object, oneOf, text, uuid } from './shape.js';
import type { ObjectShape, Shape } from './shape.js';

const connection = { dataConnectionId: uuid };
const kafka = { ...connection, topic: text, consumerGroupName: text, autoOffsetReset: oneOf('None', 'Earliest', 'Latest') };
const secureKafka = object(
  { ...kafka },
  {
    saslMechanism: oneOf('PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'),
    securityProtocol: oneOf('SASL_PLAINTEXT', 'PLAINTEXT', 'SASL_SSL', 'SSL'),
  },
);
const table = { ...connection, tableName: text };
const scope = oneOf('Tenant', 'Capacity', 'Workspace', 'Item', 'SubItem');
const events = { includedEventTypes: list(text), filters: any };
const pairs = list(object({ key: text }, { value: any }));
const connected = object(connection);

/** The properties of each type of source. */
const properties: Readonly<Record<string, ObjectShape>> = {
  AmazonKinesis: object({ ...connection, region: text }),
  AmazonMSKKafka: secureKafka,
  ApacheKafka: secureKafka,
  AzureBlobStorageEvents: object(
    {},
    { azureBlobStorageEvents: list(object({ azureResourceId: text, includedEventTypes: list(text) })), streamEvents: boolean },
  ),
  AzureCosmosDBCDC: object({ ...connection, containerName: text, databaseName: text }, { offsetPolicy: oneOf('Earliest', 'Latest') }),
  AzureDataExplorer: object({ ...connection, databaseName: text, tableNames: text }),
  AzureEventGridNamespace: object({}, { namespaceResourceId: text, topic: text }),
  AzureEventHub: object({ ...connection, consumerGroupName: text, inputSerialization: serialization }),
  AzureEventHubExtended: object({ ...connection, consumerGroupName: text }, { startPosition: text }),
  AzureIoTHub: object({ ...connection, consumerGroupName: text, inputSerialization: serialization }),
  AzureIoTHubExtended: object({ ...connection, consumerGroupName: text }, { startPosition: text }),
  AzureSQLDBCDC: object(table),
  AzureSQLMIDBCDC: object(table),
  AzureServiceBus: object({ ...connection, serviceBusType: oneOf('Topic', 'Queue'), topicOrQueueName: text }, { subscriptionName: text }),
  ConfluentCloud: object(kafka),
  CustomEndpoint: object({}),
  FabricAnomalyDetectionEvents: object({}, events),
  FabricCapacityOverviewEvents: object({ eventScope: scope, capacityId: uuid }, events),
  FabricJobEvents: object({ eventScope: scope, workspaceId: uuid }, { itemId: uuid, ...events }),
  FabricOneLakeEvents: object({ workspaceId: uuid, itemId: uuid, oneLakePaths: list(text) }, { tenantId: uuid, ...events }),
  FabricWorkspaceItemEvents: object({ eventScope: scope, workspaceId: uuid }, { itemId: uuid, ...events }),
  GooglePubSub: connected,
  Http: object(
    { ...connection, method: oneOf('GET', 'POST') },
    {
      requestHeaders: pairs,
      requestParameters: pairs,
      requestBody: any,
      pollIntervalMs: integer,
      maxRetries: integer,
      retryBackoffMs: integer,
      retriableHttpStatusCodes: text,
    },
  ),
  MirroredDatabaseChangeFeed: object({}, { workspaceId: uuid, itemId: uuid }),
  MongoDBCDC: connected,
  Mqtt: object({ ...connection, topic: text }, { serverVersion: oneOf('V3', 'V5') }),
  MySQLCDC: object(table, { serverId: integer, port: integer }),
  OracleDBCDC: connected,
  PostgreSQLCDC: object(table, { slotName: text, port: integer }),
  RealTimeWeather: object({
    latitude: { kind: 'number', minimum: -90, maximum: 90 },
    longitude: { kind: 'number', minimum: -180, maximum: 180 },
  }),
  SQLServerOnVMDBCDC: object(table),
  SampleData: object({ type: oneOf('YellowTaxi', 'StockMarket', 'Bicycles', 'Buses', 'SP500Stocks', 'SemanticModelLogs') }),
  SolacePubSub: object(
    { ...connection, pubSubType: oneOf('Topics', 'Queue'), messageVpnName: text },
    { topics: list(text), queue: text, mapUserProperties: boolean, mapSolaceProperties: boolean },
  ),
};

/** The types of sources, in the order of the alphabet. */
export const sourceTypes: readonly string[] = Object.keys(properties);

/** A source: where events come from. */
export const source: Shape = choice(
  'type',
  Object.fromEntries(Object.entries(properties).map(([type, form]) => [type, object({ properties: form })])),
  object({ name: text }, { id: uuid, inputSchemas, ...runtime }),
);
