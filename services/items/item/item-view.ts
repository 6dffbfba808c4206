import { inDialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { ItemsRuntime } from '../runtime.js';
import type { ItemRow, ItemsReader } from '../store/tables.js';
import { hasSqlEndpoint, typeProperties } from './type-properties.js';

/** How much of an item is returned. */
export interface ViewOptions {
  /** Whether to return the `properties` of its type, which `/items` does not return. */
  readonly includeProperties: boolean;
  /** Whether to return its `defaultIdentity`, which listings do not return. */
  readonly includeIdentity: boolean;
  /** `none`: the items are new and cannot have any. @default 'read' */
  readonly tags?: 'read' | 'none';
}

/** Items in the form of the API, in the same order; related rows are read once for all of them. */
export async function viewItems(
  { dialect }: Pick<ItemsRuntime, 'dialect'>,
  db: ItemsReader,
  rows: readonly ItemRow[],
  options: ViewOptions,
): Promise<Record<string, unknown>[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const tags =
    options.tags === 'none'
      ? []
      : await db
          .selectFrom('items_item_tag')
          .innerJoin('items_tag', 'items_tag.id', 'items_item_tag.tag_id')
          .select(['item_id', 'tag_id', 'items_tag.display_name'])
          .where('item_id', 'in', ids)
          .orderBy('items_tag.seq')
          .execute();
  const parentIds = options.includeProperties
    ? rows.filter(({ type }) => type === 'Eventhouse' || hasSqlEndpoint(type)).map(({ id }) => id)
    : [];
  const children =
    parentIds.length === 0
      ? []
      : await db
          .selectFrom('items_item')
          .select(['id', 'parent_id'])
          .where('parent_id', 'in', parentIds)
          .where('state', '=', 'active')
          .orderBy('seq')
          .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    displayName: row.display_name,
    description: row.description,
    workspaceId: row.workspace_id,
    ...(row.folder_id !== null && { folderId: row.folder_id }),
    ...(row.label_id !== null && { sensitivityLabel: { id: row.label_id } }),
    tags: tags
      .filter((tag) => tag.item_id === row.id)
      .map((tag) => ({ id: tag.tag_id, displayName: tag.display_name })),
    ...(options.includeIdentity && { defaultIdentity: JSON.parse(row.creator) as unknown }),
    ...(options.includeProperties &&
      typeProperties(
        row,
        children.filter((child) => child.parent_id === row.id),
        inDialect(dialectWords.queryHostSuffix, dialect),
      )),
  }));
}

/** An item in the form of the API. */
export async function viewItem(
  runtime: Pick<ItemsRuntime, 'dialect'>,
  db: ItemsReader,
  row: ItemRow,
  options: ViewOptions,
): Promise<Record<string, unknown>> {
  return (await viewItems(runtime, db, [row], options))[0] ?? {};
}
