import { isServiceError } from '../../../clients/common/service-error.js';
import type { Eventhouse, Item, ItemsClient } from '../../../clients/items/index.js';
import type { LiveItem, LiveItemsReader } from '../../../policies/model/live-items-reader.js';
import type { CliIo } from '../../command.js';
import { connectItems } from '../directory/connect.js';
import type { DirectoryFlags } from '../directory/options.js';

/** Reads the workspaces that the flags and the environment name; connects only when a stack declares something there. */
export function liveItemsReader(flags: DirectoryFlags, io: CliIo): LiveItemsReader {
  let connected: Promise<ItemsClient> | undefined;
  const client = (): Promise<ItemsClient> => (connected ??= connectItems(flags, io));
  return {
    workspaces: () => readable(async () => (await collected((await client()).workspaces.list())).map(itemOf)),
    items: (section, workspaceId) =>
      readable(async () => {
        const items: AsyncIterable<Item | Eventhouse> = (await client())[section].list(workspaceId);
        return (await collected(items)).map(itemOf);
      }),
    definition: (section, workspaceId, itemId) =>
      readable(async () => {
        const { parts } = await (await client())[section].getDefinition(workspaceId, itemId);
        return new Map(parts.map(({ path, payload }) => [path, Buffer.from(payload, 'base64').toString('utf8')]));
      }),
  };
}

/** Undefined: what the caller may not read, or the service does not offer. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if ([401, 403, 404].some((status) => isServiceError(error, status))) return undefined;
    throw error;
  }
}

async function collected<T>(entries: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

function itemOf({ id, displayName, description, properties }: LiveItem): LiveItem {
  return { id, displayName, ...(description === undefined ? {} : { description }), ...(properties === undefined ? {} : { properties }) };
}
