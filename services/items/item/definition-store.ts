import { BodyChecks } from '../http/body-checks.js';
import type { Database } from '../../common/database.js';
import {
  type ItemRow,
  type ItemsDatabase,
  type ItemsReader,
  type ItemsTransaction,
  nameKey,
  mapUniqueViolation,
} from '../store/tables.js';
import { type CheckedDefinition, type StoredPart, writePlatform } from './definition.js';
import { nameConflict } from './item-rows.js';
import { getItemType } from './item-type.js';
import { checkDisplayName } from './new-item.js';

/** The present parts of an item's definition, without `.platform`. */
export async function readParts(db: ItemsReader, item: ItemRow): Promise<readonly StoredPart[]> {
  const stored = await db
    .selectFrom('items_definition')
    .select('parts')
    .where('item_id', '=', item.id)
    .executeTakeFirst();
  return stored ? (JSON.parse(stored.parts) as StoredPart[]) : defaultParts(item);
}

/** The definition of every item of a database, without `.platform`, by the item's id. */
export async function readItemDefinitions(
  database: Database,
): Promise<ReadonlyMap<string, readonly StoredPart[]>> {
  const db = database.connection as unknown as ItemsDatabase;
  const items = await db.selectFrom('items_item').selectAll().execute();
  return new Map(
    await Promise.all(items.map(async (item) => [item.id, await readParts(db, item)] as const)),
  );
}

/**
 * An item's definition as the API returns it: its parts, and a `.platform` with the present name
 * and description.
 */
export async function viewDefinition(
  db: ItemsReader,
  item: ItemRow,
): Promise<Record<string, unknown>> {
  const parts = [
    ...(await readParts(db, item)),
    { path: '.platform', payload: writePlatform(item) },
  ];
  const { format } = getItemType(item.type);
  return {
    definition: {
      ...(format === 'eventstream' && { format }),
      parts: parts.map((part) => ({ ...part, payloadType: 'InlineBase64' })),
    },
  };
}

/**
 * Replaces an item's definition.
 *
 * @param metadata `update`: also replaces its name and description by those in `.platform`
 *   (`updateMetadata=true`).
 *
 * @throws Problem 409 when that name is taken.
 */
export async function replaceDefinition(
  transaction: ItemsTransaction,
  item: ItemRow,
  { parts, platform }: CheckedDefinition,
  metadata: 'keep' | 'update',
): Promise<void> {
  const stored = { parts: JSON.stringify(parts) };
  await transaction
    .insertInto('items_definition')
    .values({ item_id: item.id, ...stored })
    .onConflict((conflict) => conflict.column('item_id').doUpdateSet(stored))
    .execute();
  if (metadata === 'keep' || platform === undefined) return;
  const { displayName = item.display_name, description = '' } = platform;
  const checks = new BodyChecks('InvalidPlatformFile');
  checkDisplayName(checks, displayName, getItemType(item.type), '.platform: metadata.displayName');
  checks.throwIfInvalid();
  const values = { display_name: displayName, name_key: nameKey(displayName), description };
  const renaming = transaction
    .updateTable('items_item')
    .set(values)
    .where('id', '=', item.id)
    .execute();
  await mapUniqueViolation(renaming, () => nameConflict(item.type, displayName));
}

/** The default definition of an item, by its type. */
function defaultParts(item: {
  type: string;
  parent_id: string | null;
  settings: string;
}): readonly StoredPart[] {
  switch (item.type) {
    case 'Eventhouse':
      return [jsonPart('EventhouseProperties.json', {})];
    case 'Eventstream':
      return [
        jsonPart('eventstream.json', {
          sources: [],
          destinations: [],
          streams: [],
          operators: [],
          compatibilityLevel: '1.0',
        }),
        jsonPart('eventstreamProperties.json', {
          retentionTimeInDays: 1,
          eventThroughputLevel: 'Low',
        }),
      ];
    case 'KQLDatabase': {
      const { databaseType = 'ReadWrite' } = JSON.parse(item.settings) as { databaseType?: string };
      return [
        jsonPart('DatabaseProperties.json', {
          databaseType,
          parentEventhouseItemId: item.parent_id,
        }),
        { path: 'DatabaseSchema.kql', payload: '' },
      ];
    }
    default:
      return [];
  }
}

function jsonPart(path: string, value: unknown): StoredPart {
  return { path, payload: Buffer.from(JSON.stringify(value)).toString('base64') };
}
