import type { Eventhouse, Item, KqlDatabase } from '../../../clients/items/index.js';
import { eventhouse as eventhouseKind } from '../../../kinds/eventhouse/eventhouse.js';
import { eventstream as eventstreamKind } from '../../../kinds/eventstream/schema.js';
import { answeredElsewhere } from '../described.js';
import type { ResourceHandler } from '../handler.js';
import { defined, given, mustText, oneBlock, text } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { itemHandler } from './item.js';

/** The resource fabric_eventhouse. */
export const eventhouse: ResourceHandler = itemHandler<Eventhouse>({
  type: 'Eventhouse',
  described: eventhouseKind,
  emptyDefinition: { 'EventhouseProperties.json': '{}' },
  get: ({ api, signal }, workspaceId, id) => api.items.eventhouses.get(workspaceId, id, { signal }),
  flatten: flattenEventhouse,
});

/** The properties of an eventhouse; none of them is ever planned. */
export function flattenEventhouse(house: Eventhouse): Reported {
  const { properties } = house;
  if (properties === undefined) return { properties: null };
  return {
    properties: {
      database_ids: [...properties.databasesItemIds],
      ingestion_service_uri: properties.ingestionServiceUri,
      query_service_uri: properties.queryServiceUri,
      ...answeredElsewhere(eventhouseKind, 'properties', house),
    },
  };
}

/** The resource fabric_eventstream. */
export const eventstream: ResourceHandler = itemHandler<Item>({
  type: 'Eventstream',
  described: eventstreamKind,
  emptyDefinition: { 'eventstream.json': '{"compatibilityLevel":"1.0","destinations":[],"operators":[],"sources":[],"streams":[]}' },
  get: ({ api, signal }, workspaceId, id) => api.items.items.get(workspaceId, id, { signal }),
});

/** The resource fabric_kql_database. */
export const kqlDatabase: ResourceHandler = itemHandler<KqlDatabase>({
  type: 'KQLDatabase',
  emptyDefinition: { 'DatabaseProperties.json': '{}', 'DatabaseSchema.kql': '' },
  creationPayload(planned) {
    const configuration = oneBlock(planned, 'configuration');
    if (configuration === undefined) return undefined;
    return defined({
      databaseType: mustText(configuration, 'database_type'),
      parentEventhouseItemId: mustText(configuration, 'eventhouse_id'),
      invitationToken: text(configuration, 'invitation_token'),
      sourceClusterUri: text(configuration, 'source_cluster_uri'),
      sourceDatabaseName: text(configuration, 'source_database_name'),
    });
  },
  get: ({ api, signal }, workspaceId, id) => api.items.kqlDatabases.get(workspaceId, id, { signal }),
  flatten: ({ properties }) => ({
    properties:
      properties === undefined
        ? null
        : {
            database_type: given(properties, 'databaseType'),
            eventhouse_id: given(properties, 'parentEventhouseItemId'),
            ingestion_service_uri: given(properties, 'ingestionServiceUri'),
            query_service_uri: given(properties, 'queryServiceUri'),
          },
  }),
});
