import type { Migration } from 'kysely';
import { type DatabaseEngine, migrationOf } from '../../common/database.js';

/** The history of the service's tables. */
export function itemsMigrations(engine: DatabaseEngine): Record<string, Migration> {
  return {
    '001-items': migrationOf(...createTables(engine)),
    '002-group-members': migrationOf(
      'create table items_group_member (member_id text not null, group_id text not null, primary key (member_id, group_id))',
    ),
  };
}

function createTables(engine: DatabaseEngine): readonly string[] {
  // The order of creation, so that paging is not affected by inserts; never reused.
  const sequenced = `seq ${engine === 'sqlite' ? 'integer primary key autoincrement' : 'serial primary key'}`;
  const namedColumns = `${sequenced}, id text not null unique, display_name text not null`;
  return [
    `create table items_capacity (${namedColumns}, sku text not null, region text not null, state text not null)`,
    `create table items_workspace (${namedColumns}, name_key text not null unique, description text not null, type text not null,
      capacity_id text, item_count integer not null default 0, identity_application_id text, identity_principal_id text)`,
    `create table items_role (${sequenced}, workspace_id text not null, principal_id text not null, principal_type text not null,
      role text not null, constraint items_role_once unique (workspace_id, principal_id))`,
    'create index items_role_principal on items_role (principal_id)',
    `create table items_folder (${namedColumns}, workspace_id text not null, parent_id text not null, name_key text not null,
      constraint items_folder_name unique (workspace_id, parent_id, name_key))`,
    `create table items_item (${namedColumns}, workspace_id text not null, type text not null, name_key text not null,
      description text not null, folder_id text, parent_id text, label_id text, creator text not null, settings text not null,
      logical_id text not null, state text not null, constraint items_item_name unique (workspace_id, type, name_key))`,
    'create index items_item_parent on items_item (parent_id)',
    'create index items_item_order on items_item (workspace_id, seq)',
    'create table items_definition (item_id text primary key, parts text not null)',
    'create table items_item_tag (item_id text not null, tag_id text not null, primary key (item_id, tag_id))',
    `create table items_tag (${namedColumns})`,
    `create table items_label (${namedColumns})`,
    'create table items_principal (id text primary key, type text not null, display_name text not null, detail text not null)',
    `create table items_operation (id text primary key, kind text not null, workspace_id text not null, item_id text not null,
      status text not null, created_at double precision not null, updated_at double precision not null,
      due_at double precision not null, request text not null, result text, error text)`,
    'create index items_operation_due on items_operation (status, due_at)',
  ];
}
