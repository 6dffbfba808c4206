import { outcomeOf } from '../common/long-running.js';
import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { CreateItem, Item, ItemDefinition, UpdateItem } from './item.js';
import { type CallOptions, type ItemsConnection, signalOf } from './options.js';

/** How a listing of items is narrowed. */
export interface ListItems extends CallOptions {
  /** Only items of this type (generic family only). */
  readonly type?: string;
  /** Items in folders below, too. @default true */
  readonly recursive?: boolean;
  /** Only below this folder. */
  readonly rootFolderId?: string;
}

/** What one family of item endpoints offers: the typed ones (`eventhouses`, `eventstreams`, `kqlDatabases`) and the generic `items`. */
export interface ItemFamily<T extends Item, C extends CreateItem = CreateItem> {
  /** Creates an item; a creation that is accepted for later is waited for. */
  create(workspaceId: string, item: C, call?: CallOptions): Promise<T>;
  get(workspaceId: string, itemId: string, call?: CallOptions): Promise<T>;
  list(workspaceId: string, options?: ListItems): AsyncIterable<T>;
  update(workspaceId: string, itemId: string, change: UpdateItem, call?: CallOptions): Promise<T>;
  delete(workspaceId: string, itemId: string, call?: CallOptions & { readonly hardDelete?: boolean }): Promise<void>;
  getDefinition(workspaceId: string, itemId: string, call?: CallOptions & { readonly format?: string }): Promise<ItemDefinition>;
  /** Replaces the definition; name and description in `.platform` count only with `updateMetadata`. */
  updateDefinition(
    workspaceId: string,
    itemId: string,
    definition: ItemDefinition,
    call?: CallOptions & { readonly updateMetadata?: boolean },
  ): Promise<void>;
}

/** The generic family over the same items, with what only it offers. */
export interface GenericItems extends ItemFamily<Item, CreateItem & { readonly type: string }> {
  /** Moves an item into a folder, or to the workspace itself. */
  move(workspaceId: string, itemId: string, targetFolderId: string | undefined, call?: CallOptions): Promise<void>;
  applyTags(workspaceId: string, itemId: string, tagIds: readonly string[], call?: CallOptions): Promise<void>;
  unapplyTags(workspaceId: string, itemId: string, tagIds: readonly string[], call?: CallOptions): Promise<void>;
}

/** One family of endpoints, by its path word. */
export function itemFamily<T extends Item, C extends CreateItem = CreateItem>(
  { http, waitOptions }: ItemsConnection,
  word: string,
): ItemFamily<T, C> {
  const listPath = (workspaceId: string): string => `/v1/workspaces/${segment(workspaceId)}/${word}`;
  const path = (workspaceId: string, itemId: string): string => `${listPath(workspaceId)}/${segment(itemId)}`;
  return {
    async create(workspaceId, item, call) {
      const answer = await http.request({
        method: 'POST',
        path: listPath(workspaceId),
        body: item,
        expect: [201, 202],
        ...signalOf(call),
      });
      return outcomeOf<T>(http, answer, waitOptions(call));
    },
    async get(workspaceId, itemId, call) {
      return (await http.request<T>({ method: 'GET', path: path(workspaceId, itemId), ...signalOf(call) })).body;
    },
    list(workspaceId, options) {
      const { type, recursive, rootFolderId } = options ?? {};
      return entriesOf<T>(http, { path: listPath(workspaceId), query: { type, recursive, rootFolderId }, ...signalOf(options) });
    },
    async update(workspaceId, itemId, change, call) {
      return (await http.request<T>({ method: 'PATCH', path: path(workspaceId, itemId), body: change, ...signalOf(call) })).body;
    },
    async delete(workspaceId, itemId, call) {
      await http.request({ method: 'DELETE', path: path(workspaceId, itemId), query: { hardDelete: call?.hardDelete }, ...signalOf(call) });
    },
    async getDefinition(workspaceId, itemId, call) {
      const answer = await http.request({
        method: 'POST',
        path: `${path(workspaceId, itemId)}/getDefinition`,
        query: { format: call?.format },
        ...signalOf(call),
      });
      return (await outcomeOf<{ definition: ItemDefinition }>(http, answer, waitOptions(call))).definition;
    },
    async updateDefinition(workspaceId, itemId, definition, call) {
      const answer = await http.request({
        method: 'POST',
        path: `${path(workspaceId, itemId)}/updateDefinition`,
        query: { updateMetadata: call?.updateMetadata },
        body: { definition },
        ...signalOf(call),
      });
      await outcomeOf(http, answer, waitOptions(call));
    },
  };
}

/** The generic family. */
export function genericItems(connection: ItemsConnection): GenericItems {
  const post = async (workspaceId: string, itemId: string, verb: string, body: unknown, call?: CallOptions): Promise<void> => {
    const path = `/v1/workspaces/${segment(workspaceId)}/items/${segment(itemId)}/${verb}`;
    await connection.http.request({ method: 'POST', path, body, ...signalOf(call) });
  };
  return {
    ...itemFamily<Item, CreateItem & { readonly type: string }>(connection, 'items'),
    move: (workspaceId, itemId, targetFolderId, call) =>
      post(workspaceId, itemId, 'move', targetFolderId === undefined ? {} : { targetFolderId }, call),
    applyTags: (workspaceId, itemId, tags, call) => post(workspaceId, itemId, 'applyTags', { tags }, call),
    unapplyTags: (workspaceId, itemId, tags, call) => post(workspaceId, itemId, 'unapplyTags', { tags }, call),
  };
}
