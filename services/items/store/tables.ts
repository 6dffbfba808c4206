import type { Generated, Kysely, Selectable, Transaction } from 'kysely';
import { Problem } from '../http/problem.js';
import { isSqliteError } from '../../common/sqlite.js';

// `seq` numbers the rows of a table as they are inserted; lists are paged in this order.

/** A capacity for workspaces. */
export interface CapacityTable {
  seq: Generated<number>;
  id: string;
  display_name: string;
  /** Its size: `F64`. */
  sku: string;
  region: string;
  /** `Active`, or another one, in which items that need a capacity cannot be created. */
  state: string;
}

/**
 * A workspace; `item_count` counts its items, including children and those being created, and is
 * the lock of its limit.
 */
export interface WorkspaceTable {
  seq: Generated<number>;
  id: string;
  display_name: string;
  /** {@link nameKey} of the name, unique among workspaces. */
  name_key: string;
  description: string;
  /** `Workspace`, unless the seed says otherwise. */
  type: string;
  capacity_id: string | null;
  item_count: number;
  /** The application id of the workspace identity; null if it has none. */
  identity_application_id: string | null;
  /** The object id of the identity's service principal. */
  identity_principal_id: string | null;
}

/** A principal's role in a workspace; its id is the principal's, as in the public service. */
export interface RoleTable {
  seq: Generated<number>;
  workspace_id: string;
  principal_id: string;
  /** `User`, `ServicePrincipal`, `Group`, `ServicePrincipalProfile` or `EntireTenant`. */
  principal_type: string;
  /** A `WorkspaceRole`. */
  role: string;
}

/** A folder; `parent_id` is '' at the top level, so that names can be unique there, too. */
export interface FolderTable {
  seq: Generated<number>;
  id: string;
  workspace_id: string;
  /** The folder that it is in; '' at the top level. */
  parent_id: string;
  display_name: string;
  /** {@link nameKey} of the name, unique in the parent. */
  name_key: string;
}

/** An item; `provisioning` ones reserve name and place, but are invisible. */
export interface ItemTable {
  seq: Generated<number>;
  id: string;
  workspace_id: string;
  type: string;
  display_name: string;
  /** {@link nameKey} of the name, unique among the workspace's items of the type. */
  name_key: string;
  description: string;
  /** Null at the top level of the workspace. */
  folder_id: string | null;
  /** The item to which a query database or SQL endpoint belongs; null for other items. */
  parent_id: string | null;
  /** The sensitivity label. */
  label_id: string | null;
  /** JSON: the principal, as `defaultIdentity` in answers. */
  creator: string;
  /** JSON: other data of the type (its creation payload, the state of nodes). */
  settings: string;
  /** `config.logicalId` of `.platform`. */
  logical_id: string;
  state: 'active' | 'provisioning';
}

/** A stored item. */
export type ItemRow = Omit<Selectable<ItemTable>, 'seq'>;

/** The definition of an item as sent: JSON of its parts, without `.platform`. */
export interface DefinitionTable {
  item_id: string;
  parts: string;
}

/** A tag on an item. */
export interface ItemTagTable {
  item_id: string;
  tag_id: string;
}

/** The available labels and tags. */
export interface NamedTable {
  seq: Generated<number>;
  id: string;
  display_name: string;
}

/** People, applications and groups known by name. */
export interface PrincipalTable {
  id: string;
  /** `User`, `ServicePrincipal` or `Group`. */
  type: string;
  display_name: string;
  /** userPrincipalName, application id or group type. */
  detail: string;
}

/** A member of a group in the seed, for role assignments without a directory. */
export interface GroupMemberTable {
  group_id: string;
  member_id: string;
}

/** A long-running operation; times in milliseconds of the epoch. */
export interface OperationTable {
  id: string;
  kind: 'createItem' | 'updateDefinition' | 'getDefinition';
  workspace_id: string;
  item_id: string;
  status: 'Running' | 'Succeeded' | 'Failed';
  created_at: number;
  updated_at: number;
  /** When its work is to be done, which ends it. */
  due_at: number;
  /** JSON: the work. */
  request: string;
  /** JSON: the result, if it is not the item itself. */
  result: string | null;
  /** JSON: the reason of the failure. */
  error: string | null;
}

/** Every table of the items service. */
export interface ItemsTables {
  items_capacity: CapacityTable;
  items_workspace: WorkspaceTable;
  items_role: RoleTable;
  items_folder: FolderTable;
  items_item: ItemTable;
  items_definition: DefinitionTable;
  items_item_tag: ItemTagTable;
  items_tag: NamedTable;
  items_label: NamedTable;
  items_principal: PrincipalTable;
  items_group_member: GroupMemberTable;
  items_operation: OperationTable;
}

/** The service's view of the database. */
export type ItemsDatabase = Kysely<ItemsTables>;
/** The service's database inside a transaction. */
export type ItemsTransaction = Transaction<ItemsTables>;
/** The database, inside or outside a transaction. */
export type ItemsReader = ItemsDatabase | ItemsTransaction;

/** The SQLSTATE `unique_violation` of PostgreSQL. */
const postgresUniqueViolation = '23505';

/** Whether an error is a violated unique constraint, on either engine. */
function isUniqueViolation(error: unknown): boolean {
  return (
    isSqliteError(error, 'unique') ||
    isSqliteError(error, 'primaryKey') ||
    (error as { code?: unknown }).code === postgresUniqueViolation
  );
}

/**
 * Waits for a change.
 *
 * @param conflict the error to throw for a name, or another unique value, that exists.
 */
export async function mapUniqueViolation<T>(change: Promise<T>, conflict: () => Error): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw isUniqueViolation(error) ? conflict() : error;
  }
}

/** The form in which names are compared, without letter case. */
export function nameKey(displayName: string): string {
  return displayName.normalize('NFC').toLowerCase();
}

/** The error for a workspace that does not exist. */
export function workspaceNotFound(id: string): Problem {
  return new Problem('WorkspaceNotFound', `The workspace ${id} could not be found.`);
}

/**
 * Locks a workspace until the transaction ends: changes that depend on what they have read, such as
 * those of its tree of folders, run one after the other.
 *
 * @throws Problem 404 when it has been deleted since it was read.
 */
export async function lockWorkspace(transaction: ItemsTransaction, id: string): Promise<void> {
  if (!(await lockWorkspaceIfExists(transaction, id))) throw workspaceNotFound(id);
}

/** Locks a workspace until the transaction ends. @returns whether it exists */
export async function lockWorkspaceIfExists(
  transaction: ItemsTransaction,
  id: string,
): Promise<boolean> {
  // PostgreSQL locks an updated row; SQLite runs one transaction at a time.
  const { numUpdatedRows } = await transaction
    .updateTable('items_workspace')
    .set({ id })
    .where('id', '=', id)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
