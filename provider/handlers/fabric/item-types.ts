import { gzipSync } from 'node:zlib';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type {
  Eventhouse,
  Item,
  KqlDatabase,
  ItemDefinition,
} from '../../../clients/items/index.js';
import { eventhouse as eventhouseKind } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream as eventstreamKind } from '../../../kinds/eventstream/eventstream.js';
import { flattenReturnedProperties } from '../described-values.js';
import {
  type Context,
  type DataSourceHandler,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { propertyAsValue, textOrEmpty, oneBlock, optionalText, isTrue } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { itemHandler, flattenItem } from './item.js';
import type { ValueMap } from '../../values/value.js';

/** The resource fabric_eventhouse. */
export const eventhouse: ResourceHandler = itemHandler<Eventhouse>({
  type: 'Eventhouse',
  describedKind: eventhouseKind,
  emptyDefinition: { 'EventhouseProperties.json': '{}' },
  get: ({ api, signal }, workspaceId, id) => api.items.eventhouses.get(workspaceId, id, { signal }),
  flatten: flattenEventhouse,
});

/** The properties of an eventhouse; they are never planned. */
export function flattenEventhouse(item: Eventhouse): ActualValues {
  const { properties } = item;
  if (properties === undefined) return { properties: null };
  return {
    properties: {
      database_ids: [...properties.databasesItemIds],
      ingestion_service_uri: properties.ingestionServiceUri,
      query_service_uri: properties.queryServiceUri,
      ...flattenReturnedProperties(eventhouseKind, 'properties', item),
    },
  };
}

/** The resource fabric_eventstream. */
export const eventstream: ResourceHandler = itemHandler<Item>({
  type: 'Eventstream',
  describedKind: eventstreamKind,
  emptyDefinition: {
    'eventstream.json':
      '{"compatibilityLevel":"1.0","destinations":[],"operators":[],"sources":[],"streams":[]}',
  },
  get: ({ api, signal }, workspaceId, id) => api.items.items.get(workspaceId, id, { signal }),
});

/** The resource fabric_kql_database. */
export const kqlDatabase: ResourceHandler = itemHandler<KqlDatabase>({
  type: 'KQLDatabase',
  emptyDefinition: { 'DatabaseProperties.json': '{}', 'DatabaseSchema.kql': '' },
  creationPayload(planned) {
    const configuration = oneBlock(planned, 'configuration');
    if (configuration === undefined) return undefined;
    return omitUndefined({
      databaseType: textOrEmpty(configuration, 'database_type'),
      parentEventhouseItemId: textOrEmpty(configuration, 'eventhouse_id'),
      invitationToken: optionalText(configuration, 'invitation_token'),
      sourceClusterUri: optionalText(configuration, 'source_cluster_uri'),
      sourceDatabaseName: optionalText(configuration, 'source_database_name'),
    });
  },
  get: ({ api, signal }, workspaceId, id) =>
    api.items.kqlDatabases.get(workspaceId, id, { signal }),
  flatten: ({ properties }) => ({
    properties:
      properties === undefined
        ? null
        : {
            database_type: propertyAsValue(properties, 'databaseType'),
            eventhouse_id: propertyAsValue(properties, 'parentEventhouseItemId'),
            ingestion_service_uri: propertyAsValue(properties, 'ingestionServiceUri'),
            query_service_uri: propertyAsValue(properties, 'queryServiceUri'),
          },
  }),
});

/** The data source fabric_eventhouse, by id or name. */
export const eventhouseData: DataSourceHandler = async ({ config, ...context }) => {
  const { eventhouses } = context.api.items;
  const options = { signal: context.signal };
  const workspaceId = textOrEmpty(config, 'workspace_id');
  const id =
    optionalText(config, 'id') ?? (await idByName(eventhouses.list(workspaceId, options), config));
  const house: Eventhouse = await eventhouses.get(workspaceId, id, options);
  return {
    ...flattenItem(house),
    ...flattenEventhouse(house),
    ...(await outputDefinition(house, config, context)),
  };
};

/** The data source fabric_eventstream, by id or name. */
export const eventstreamData: DataSourceHandler = async ({ config, ...context }) => {
  const { items } = context.api.items;
  const options = { signal: context.signal };
  const workspaceId = textOrEmpty(config, 'workspace_id');
  const id =
    optionalText(config, 'id') ??
    (await idByName(items.list(workspaceId, { ...options, type: 'Eventstream' }), config));
  const stream = await items.get(workspaceId, id, options);
  return { ...flattenItem(stream), ...(await outputDefinition(stream, config, context)) };
};

async function idByName(items: AsyncIterable<Item>, config: ValueMap): Promise<string> {
  const name = optionalText(config, 'display_name') ?? '';
  for await (const item of items) if (item.displayName === name) return item.id;
  throw new ProviderFailure(
    'Read operation',
    `Unable to find an item with 'display_name': ${name}`,
    ['display_name'],
  );
}

/**
 * The definition's parts, gzipped and in base64, as `content_decode` accepts them; only on request.
 */
async function outputDefinition(
  item: Item,
  config: ValueMap,
  { api, signal }: Context,
): Promise<ActualValues> {
  if (!isTrue(config, 'output_definition')) return { definition: null, output_definition: false };
  const definition: ItemDefinition = await api.items.items.getDefinition(
    item.workspaceId,
    item.id,
    { signal },
  );
  const parts = definition.parts.map(
    ({ path, payload }) =>
      [path, { content: gzipSync(Buffer.from(payload, 'base64')).toString('base64') }] as const,
  );
  return { definition: Object.fromEntries(parts), output_definition: true };
}
