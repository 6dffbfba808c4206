import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { apiPropertiesIn } from '../../../kinds/schema/request-body.js';
import { defaultCollation } from './creation-payload.js';
import type { ItemRow } from '../store/tables.js';

/** The stored creation settings of an eventhouse, returned as its `properties`. */
const creationSettings = apiPropertiesIn('creationPayload', eventhouse.properties);

/** Whether the service creates a SQL endpoint with each item of a type. */
export function hasSqlEndpoint(type: string): boolean {
  return type === 'Lakehouse' || type === 'MirroredDatabase';
}

/**
 * The `properties` that the endpoints of an item's own type return. Clients that create an item
 * wait until a status in them says Success or Failed (`sqlEndpointProperties.provisioningStatus`,
 * `publishDetails.state`), so an item that can be read has been provisioned.
 *
 * @param children the items that the service created with this one.
 * @param domain the domain in which the addresses of items are.
 */
export function typeProperties(
  row: ItemRow,
  children: readonly { readonly id: string }[],
  domain: string,
): { properties?: Record<string, unknown> } {
  const properties = propertiesByType[row.type]?.({ row, children, domain });
  return properties === undefined ? {} : { properties };
}

interface ItemContext {
  readonly row: ItemRow;
  readonly children: readonly { readonly id: string }[];
  readonly domain: string;
}

const propertiesByType: Readonly<Record<string, (item: ItemContext) => Record<string, unknown>>> = {
  Eventhouse: ({ row, children, domain }) => ({
    ...queryAddresses(row.id, domain),
    databasesItemIds: children.map(({ id }) => id),
    ...Object.fromEntries(
      creationSettings.map(({ name, schema }) => [
        name,
        settingsOf(row)[name] ?? (schema.default as unknown),
      ]),
    ),
  }),
  KQLDatabase: ({ row, domain }) => ({
    parentEventhouseItemId: row.parent_id,
    ...queryAddresses(row.parent_id ?? row.id, domain),
    databaseType: settingsOf(row)['databaseType'] ?? 'ReadWrite',
  }),
  Lakehouse: (item) => ({
    oneLakeTablesPath: oneLakePath(item, 'Tables'),
    oneLakeFilesPath: oneLakePath(item, 'Files'),
    ...sqlEndpoint(item),
    ...(settingsOf(item.row)['enableSchemas'] === true && { defaultSchema: 'dbo' }),
  }),
  MirroredDatabase: (item) => ({
    oneLakeTablesPath: oneLakePath(item, 'Tables'),
    ...sqlEndpoint(item),
  }),
  Warehouse: ({ row, domain }) => {
    const connectionString = `${row.id}.datawarehouse.${domain}`;
    const { collationType = defaultCollation } = settingsOf(row);
    return { connectionString, connectionInfo: connectionString, collationType };
  },
  SQLDatabase: ({ row, domain }) => {
    const serverFqdn = `${row.workspace_id}.database.${domain}`;
    const databaseName = `${row.display_name}-${row.id}`;
    const connectionString = `Data Source=${serverFqdn},1433;Initial Catalog=${databaseName}`;
    return { serverFqdn, databaseName, connectionString, connectionInfo: connectionString };
  },
  Environment: ({ row }) => ({
    publishDetails: {
      state: 'Success',
      targetVersion: row.id,
      componentPublishInfo: {
        sparkLibraries: { state: 'Success' },
        sparkSettings: { state: 'Success' },
      },
    },
  }),
};

function settingsOf(row: ItemRow): Readonly<Record<string, unknown>> {
  return JSON.parse(row.settings) as Readonly<Record<string, unknown>>;
}

function queryAddresses(eventhouseId: string, domain: string): Record<string, string> {
  return {
    queryServiceUri: `https://${eventhouseId}.${domain}`,
    ingestionServiceUri: `https://ingest-${eventhouseId}.${domain}`,
  };
}

function oneLakePath({ row, domain }: ItemContext, folder: string): string {
  return `https://onelake.${domain}/${row.workspace_id}/${row.id}/${folder}`;
}

function sqlEndpoint({ children, domain }: ItemContext): Record<string, unknown> {
  const [endpoint] = children;
  // Items stored by earlier versions have no endpoint.
  if (endpoint === undefined) return { sqlEndpointProperties: { provisioningStatus: 'Failed' } };
  return {
    sqlEndpointProperties: {
      id: endpoint.id,
      connectionString: `${endpoint.id}.datawarehouse.${domain}`,
      provisioningStatus: 'Success',
    },
  };
}
