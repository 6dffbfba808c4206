import type { CreateTableBuilder, Kysely, Migration } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';

/** The history of the service's tables. */
export function itemsMigrations(engine: DatabaseEngine): Record<string, Migration> {
  return {
    '001-items': { up: (db: Kysely<unknown>) => createTables(db, engine) },
    '002-group-members': { up: createGroupMembers },
  };
}

async function createTables(db: Kysely<unknown>, engine: DatabaseEngine): Promise<void> {
  // Order of creation, for paging that inserts can't disturb; never used again once given.
  const sequenced = (name: string): CreateTableBuilder<string, 'seq'> =>
    engine === 'sqlite'
      ? db.schema.createTable(name).addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      : db.schema.createTable(name).addColumn('seq', 'serial', (column) => column.primaryKey());
  const named = (name: string): CreateTableBuilder<string, 'seq' | 'id' | 'display_name'> =>
    sequenced(name)
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', (column) => column.notNull());

  await named('items_capacity')
    .addColumn('sku', 'text', (column) => column.notNull())
    .addColumn('region', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .execute();
  await named('items_workspace')
    .addColumn('name_key', 'text', (column) => column.notNull().unique())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('capacity_id', 'text')
    .addColumn('item_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('identity_application_id', 'text')
    .addColumn('identity_principal_id', 'text')
    .execute();
  await sequenced('items_role')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('principal_id', 'text', (column) => column.notNull())
    .addColumn('principal_type', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addUniqueConstraint('items_role_once', ['workspace_id', 'principal_id'])
    .execute();
  await db.schema.createIndex('items_role_principal').on('items_role').column('principal_id').execute();
  await named('items_folder')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('parent_id', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addUniqueConstraint('items_folder_name', ['workspace_id', 'parent_id', 'name_key'])
    .execute();
  await named('items_item')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('folder_id', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('label_id', 'text')
    .addColumn('creator', 'text', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('logical_id', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addUniqueConstraint('items_item_name', ['workspace_id', 'type', 'name_key'])
    .execute();
  await db.schema.createIndex('items_item_parent').on('items_item').column('parent_id').execute();
  await db.schema.createIndex('items_item_order').on('items_item').columns(['workspace_id', 'seq']).execute();
  await db.schema
    .createTable('items_definition')
    .addColumn('item_id', 'text', (column) => column.primaryKey())
    .addColumn('parts', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('items_item_tag')
    .addColumn('item_id', 'text', (column) => column.notNull())
    .addColumn('tag_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('items_item_tag_key', ['item_id', 'tag_id'])
    .execute();
  await named('items_tag').execute();
  await named('items_label').execute();
  await db.schema
    .createTable('items_principal')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('display_name', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('items_operation')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('item_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'double precision', (column) => column.notNull())
    .addColumn('updated_at', 'double precision', (column) => column.notNull())
    .addColumn('due_at', 'double precision', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('error', 'text')
    .execute();
  await db.schema.createIndex('items_operation_due').on('items_operation').columns(['status', 'due_at']).execute();
}

async function createGroupMembers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('items_group_member')
    .addColumn('member_id', 'text', (column) => column.notNull())
    .addColumn('group_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('items_group_member_key', ['member_id', 'group_id'])
    .execute();
}
