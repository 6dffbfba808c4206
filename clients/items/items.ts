import { entriesOf } from '../common/paging.js';
import { segment } from '../common/url.js';
import type { CreateItemRequest, Item, ItemDefinition, UpdateItemRequest } from './item.js';
import { type CallOptions, type ItemsConnection, signalOf } from './connection.js';

/** The filters of an item listing. */
export interface ListItemsOptions extends CallOptions {
  /** Only items of this type (only for the listing of all types). */
  readonly type?: string;
  /** Includes items in subfolders. @default true */
  readonly recursive?: boolean;
  /** Only items of this folder. */
  readonly rootFolderId?: string;
}

/**
 * The operations of one family of items: the typed ones (`eventhouses`, `eventstreams`,
 * `kqlDatabases`) and the generic `items`.
 */
export interface ItemFamily<T extends Item, C extends CreateItemRequest = CreateItemRequest> {
  /** Creates an item, and waits for the end of the operation when the service answers 202. */
  create(workspaceId: string, item: C, call?: CallOptions): Promise<T>;
  get(workspaceId: string, itemId: string, call?: CallOptions): Promise<T>;
  list(workspaceId: string, options?: ListItemsOptions): AsyncIterable<T>;
  update(
    workspaceId: string,
    itemId: string,
    change: UpdateItemRequest,
    call?: CallOptions,
  ): Promise<T>;
  delete(
    workspaceId: string,
    itemId: string,
    call?: CallOptions & {
      /** Deletes for good, also where the item could be recovered. @default false */
      readonly hardDelete?: boolean;
    },
  ): Promise<void>;
  getDefinition(
    workspaceId: string,
    itemId: string,
    call?: CallOptions & {
      /** The format of the files. @default that of the type of item */
      readonly format?: string;
    },
  ): Promise<ItemDefinition>;
  /**
   * Replaces the definition; the name and description in `.platform` are used only with
   * `updateMetadata`.
   */
  updateDefinition(
    workspaceId: string,
    itemId: string,
    definition: ItemDefinition,
    call?: CallOptions & { readonly updateMetadata?: boolean },
  ): Promise<void>;
}

/** The generic family over all item types, with the operations that only it has. */
export interface GenericItems extends ItemFamily<
  Item,
  CreateItemRequest & { readonly type: string }
> {
  /** Moves an item into a folder, or to the root of the workspace. */
  move(
    workspaceId: string,
    itemId: string,
    targetFolderId: string | undefined,
    call?: CallOptions,
  ): Promise<void>;
  applyTags(
    workspaceId: string,
    itemId: string,
    tagIds: readonly string[],
    call?: CallOptions,
  ): Promise<void>;
  unapplyTags(
    workspaceId: string,
    itemId: string,
    tagIds: readonly string[],
    call?: CallOptions,
  ): Promise<void>;
}

/**
 * The operations of one family of items.
 *
 * @param collection the family's path segment, such as `eventhouses`.
 */
export function itemFamily<T extends Item, C extends CreateItemRequest = CreateItemRequest>(
  { http, send, sendAndWait }: ItemsConnection,
  collection: string,
): ItemFamily<T, C> {
  const listPath = (workspaceId: string): string =>
    `/v1/workspaces/${segment(workspaceId)}/${collection}`;
  const path = (workspaceId: string, itemId: string, action = ''): string =>
    `${listPath(workspaceId)}/${segment(itemId)}${action}`;
  return {
    create: (workspaceId, item, call) =>
      sendAndWait('POST', listPath(workspaceId), call, { body: item, expect: [201, 202] }),
    get: (workspaceId, itemId, call) => send('GET', path(workspaceId, itemId), call),
    list(workspaceId, options) {
      const { type, recursive, rootFolderId } = options ?? {};
      return entriesOf<T>(http, {
        path: listPath(workspaceId),
        query: { type, recursive, rootFolderId },
        ...signalOf(options),
      });
    },
    update: (workspaceId, itemId, change, call) =>
      send('PATCH', path(workspaceId, itemId), call, { body: change }),
    delete: (workspaceId, itemId, call) =>
      send('DELETE', path(workspaceId, itemId), call, { query: { hardDelete: call?.hardDelete } }),
    async getDefinition(workspaceId, itemId, call) {
      const query = { format: call?.format };
      const definitionPath = path(workspaceId, itemId, '/getDefinition');
      return (
        await sendAndWait<{ definition: ItemDefinition }>('POST', definitionPath, call, { query })
      ).definition;
    },
    updateDefinition: (workspaceId, itemId, definition, call) =>
      sendAndWait('POST', path(workspaceId, itemId, '/updateDefinition'), call, {
        query: { updateMetadata: call?.updateMetadata },
        body: { definition },
      }),
  };
}

/** The operations of items of every type. */
export function genericItems(connection: ItemsConnection): GenericItems {
  const post = (
    workspaceId: string,
    itemId: string,
    action: string,
    body: unknown,
    call?: CallOptions,
  ): Promise<void> =>
    connection.send(
      'POST',
      `/v1/workspaces/${segment(workspaceId)}/items/${segment(itemId)}/${action}`,
      call,
      { body },
    );
  return {
    ...itemFamily<Item, CreateItemRequest & { readonly type: string }>(connection, 'items'),
    move: (workspaceId, itemId, targetFolderId, call) =>
      post(
        workspaceId,
        itemId,
        'move',
        targetFolderId === undefined ? {} : { targetFolderId },
        call,
      ),
    applyTags: (workspaceId, itemId, tags, call) =>
      post(workspaceId, itemId, 'applyTags', { tags }, call),
    unapplyTags: (workspaceId, itemId, tags, call) =>
      post(workspaceId, itemId, 'unapplyTags', { tags }, call),
  };
}
