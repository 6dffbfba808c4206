import { gzipSync } from 'node:zlib';
import type { Eventhouse, Item, ItemDefinition } from '../../../clients/items/index.js';
import type { ValueMap } from '../../values/value.js';
import { ProviderFailure } from '../failure.js';
import type { Context, DataSourceHandler } from '../handler.js';
import { flag, mustText, text } from '../read-values.js';
import type { Reported } from '../../planner/settle.js';
import { flattenItem } from './item.js';
import { flattenEventhouse } from './items.js';

/** The data source fabric_eventhouse, by id or name. */
export const eventhouseData: DataSourceHandler = async ({ config, ...context }) => {
  const { eventhouses } = context.api.items;
  const call = { signal: context.signal };
  const workspaceId = mustText(config, 'workspace_id');
  const id = text(config, 'id') ?? (await idByName(eventhouses.list(workspaceId, call), config));
  const house: Eventhouse = await eventhouses.get(workspaceId, id, call);
  return { ...flattenItem(house), ...flattenEventhouse(house), ...(await definitionOf(house, config, context)) };
};

/** The data source fabric_eventstream, by id or name. */
export const eventstreamData: DataSourceHandler = async ({ config, ...context }) => {
  const { items } = context.api.items;
  const call = { signal: context.signal };
  const workspaceId = mustText(config, 'workspace_id');
  const id = text(config, 'id') ?? (await idByName(items.list(workspaceId, { ...call, type: 'Eventstream' }), config));
  const stream = await items.get(workspaceId, id, call);
  return { ...flattenItem(stream), ...(await definitionOf(stream, config, context)) };
};

async function idByName(items: AsyncIterable<Item>, config: ValueMap): Promise<string> {
  const name = text(config, 'display_name') ?? '';
  for await (const item of items) if (item.displayName === name) return item.id;
  throw new ProviderFailure('Read operation', `Unable to find an item with 'display_name': ${name}`, ['display_name']);
}

/** The definition's parts, gzipped and in base64, as `content_decode` takes them; only where it is asked for. */
async function definitionOf(item: Item, config: ValueMap, { api, signal }: Context): Promise<Reported> {
  if (!flag(config, 'output_definition')) return { definition: null, output_definition: false };
  const definition: ItemDefinition = await api.items.items.getDefinition(item.workspaceId, item.id, { signal });
  const parts = definition.parts.map(
    ({ path, payload }) => [path, { content: gzipSync(Buffer.from(payload, 'base64')).toString('base64') }] as const,
  );
  return { definition: Object.fromEntries(parts), output_definition: true };
}
