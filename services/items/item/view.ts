import type { Selectable } from 'kysely';
import { say, words } from '../../../core/dialect/dialect.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { apiPropertiesIn } from '../../../kinds/schema/api.js';
import type { ItemsRuntime } from '../runtime.js';
import type { ItemsReader, ItemTable } from '../store/tables.js';

/** The stored creation settings of an eventhouse, returned as its `properties`. */
const created = apiPropertiesIn('creationPayload', eventhouse.properties);

/** A stored item. */
export type ItemRow = Omit<Selectable<ItemTable>, 'seq'>;

/**
 * How much of an item is returned: the generic family returns less than the typed ones, and only
 * single answers have the identity.
 */
export interface ViewOptions {
  readonly properties: boolean;
  readonly identity: boolean;
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
  const houses = options.properties
    ? rows.filter(({ type }) => type === 'Eventhouse').map(({ id }) => id)
    : [];
  const children =
    houses.length === 0
      ? []
      : await db
          .selectFrom('items_item')
          .select(['id', 'parent_id'])
          .where('parent_id', 'in', houses)
          .where('state', '=', 'active')
          .orderBy('seq')
          .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    displayName: row.display_name,
    description: row.description,
    workspaceId: row.workspace_id,
    ...(row.folder_id === null ? {} : { folderId: row.folder_id }),
    ...(row.label_id === null ? {} : { sensitivityLabel: { id: row.label_id } }),
    tags: tags
      .filter((tag) => tag.item_id === row.id)
      .map((tag) => ({ id: tag.tag_id, displayName: tag.display_name })),
    ...(options.identity ? { defaultIdentity: JSON.parse(row.creator) as unknown } : {}),
    ...(options.properties
      ? propertiesOf(
          row,
          children.filter((child) => child.parent_id === row.id),
          say(words.queryZone, dialect),
        )
      : {}),
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

function propertiesOf(
  row: ItemRow,
  children: readonly { id: string }[],
  zone: string,
): { properties?: Record<string, unknown> } {
  const settings = JSON.parse(row.settings) as Readonly<Record<string, unknown>>;
  const uris = (house: string): Record<string, string> => ({
    queryServiceUri: `https://${house}.${zone}`,
    ingestionServiceUri: `https://ingest-${house}.${zone}`,
  });
  if (row.type === 'Eventhouse')
    return {
      properties: {
        ...uris(row.id),
        databasesItemIds: children.map(({ id }) => id),
        ...Object.fromEntries(
          created.map(({ name, schema }) => [name, settings[name] ?? (schema.default as unknown)]),
        ),
      },
    };
  if (row.type === 'KQLDatabase')
    return {
      properties: {
        parentEventhouseItemId: row.parent_id,
        ...uris(row.parent_id ?? row.id),
        databaseType: settings['databaseType'] ?? 'ReadWrite',
      },
    };
  if (row.type === 'Lakehouse')
    return {
      properties: {
        oneLakeTablesPath: `https://onelake.${zone}/${row.workspace_id}/${row.id}/Tables`,
        oneLakeFilesPath: `https://onelake.${zone}/${row.workspace_id}/${row.id}/Files`,
      },
    };
  return row.type === 'Warehouse'
    ? { properties: { connectionString: `${row.id}.datawarehouse.${zone}` } }
    : {};
}
