import type { Kysely, Migration, Selectable } from 'kysely';
import { type Database, type DatabaseEngine, migrate, migrationOf } from '../common/database.js';

/**
 * A stored resource: the declared properties without secret values, and the values that the service
 * sets.
 */
export interface StoredResource {
  readonly id: string;
  /** With the types of its parents: `Microsoft.App/containerApps/authConfigs`. */
  readonly type: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The id of the subscription. */
  readonly subscription: string;
  /** The name of the resource group; empty for a resource of the subscription. */
  readonly group: string;
  /** As spelled at creation; a proxy resource has none. */
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** The managed identities of the resource, in the form of an answer. */
  readonly identity?: Json;
  /** The declared properties, without nulls and read-only properties. */
  readonly properties: Json;
  /** The members beside `properties` of types without their own rules: `sku`, `kind`, `zones`. */
  readonly otherMembers?: Json;
  /**
   * Values set by the service at creation: principal ids, ids of keys, revisions. Never a secret.
   */
  readonly setByService: Json;
  /** Secret values, which ordinary answers do not contain. */
  readonly secrets: readonly StoredSecret[];
  /** ISO 8601, as `changedAt`. */
  readonly createdAt: string;
  readonly changedAt: string;
}

/** A secret of an app (with its value or a key vault reference), or a key of a log workspace. */
export interface StoredSecret {
  readonly name: string;
  /** Absent for a reference to a key vault. */
  readonly value?: string;
  /** The managed identity that reads the key vault: `system` or a resource id. */
  readonly identity?: string;
  readonly keyVaultUrl?: string;
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

interface Tables {
  /** Type, subscription and group are in lower case; `body` has their own spelling. */
  resource_manager_resource: {
    /** {@link resourceKey} of the id. */
    key: string;
    /** {@link resourceKey} of the parent's id; '' if it has none. */
    parent_key: string;
    id: string;
    type: string;
    name: string;
    subscription: string;
    resource_group: string;
    body: string;
    secrets: string;
    created_at: string;
    changed_at: string;
  };
  /** Registrations that were changed, by `{subscription}/{namespace}` in lower case. */
  resource_manager_namespace: { key: string; state: string };
  /** Deleted log workspaces that can be recovered; `body` is that of a GET. */
  resource_manager_deleted_workspace: {
    key: string;
    subscription: string;
    resource_group: string;
    body: string;
    deleted_at: string;
  };
}

function migrations(engine: DatabaseEngine): Record<string, Migration> {
  // Ids are compared byte by byte, so that everything below a group is one range.
  const key = `key text ${engine === 'postgres' ? 'collate "C" ' : ''}primary key`;
  return {
    '001-resources': migrationOf(
      `create table resource_manager_resource (${key}, parent_key text not null, id text not null, type text not null,
        name text not null, subscription text not null, resource_group text not null, body text not null, secrets text not null,
        created_at text not null, changed_at text not null)`,
      'create index resource_manager_resource_scope on resource_manager_resource (subscription, type, resource_group, key)',
      `create table resource_manager_deleted_workspace (${key}, subscription text not null, resource_group text not null,
        body text not null, deleted_at text not null)`,
    ),
    '002-namespaces': migrationOf(
      `create table resource_manager_namespace (${key}, state text not null)`,
    ),
  };
}

/** The filter of a listing; letter case does not matter. */
export interface ResourceQuery {
  readonly subscription?: string;
  readonly group?: string;
  readonly type?: string;
  /** The id of the parent. */
  readonly parent?: string;
}

/** The resources in the database, by id in any letter case. */
export class ResourceStore {
  private constructor(private readonly db: Kysely<Tables>) {}

  /** Creates or migrates the tables and opens the store. */
  static async open(database: Database): Promise<ResourceStore> {
    await migrate(database, 'resource_manager', migrations(database.engine));
    return new ResourceStore(database.connection as unknown as Kysely<Tables>);
  }

  /** A resource by its id, in any letter case. */
  async find(id: string): Promise<StoredResource | undefined> {
    const row = await this.db
      .selectFrom('resource_manager_resource')
      .selectAll()
      .where('key', '=', resourceKey(id))
      .executeTakeFirst();
    return row === undefined ? undefined : fromRow(row);
  }

  /** The resources that match a query, sorted by id. */
  async list(query: ResourceQuery): Promise<StoredResource[]> {
    let select = this.db.selectFrom('resource_manager_resource').selectAll().orderBy('key');
    if (query.subscription !== undefined)
      select = select.where('subscription', '=', query.subscription.toLowerCase());
    if (query.group !== undefined)
      select = select.where('resource_group', '=', query.group.toLowerCase());
    if (query.type !== undefined) select = select.where('type', '=', query.type.toLowerCase());
    if (query.parent !== undefined)
      select = select.where('parent_key', '=', resourceKey(query.parent));
    return (await select.execute()).map(fromRow);
  }

  /** Writes a resource, and removes a deleted one of the same name. */
  async save(resource: StoredResource, parent = ''): Promise<void> {
    const { location, tags, identity, properties, otherMembers, setByService } = resource;
    const row = {
      key: resourceKey(resource.id),
      parent_key: resourceKey(parent),
      id: resource.id,
      type: resource.type.toLowerCase(),
      name: resource.name,
      subscription: resource.subscription.toLowerCase(),
      resource_group: resource.group.toLowerCase(),
      body: JSON.stringify({
        location,
        tags,
        identity,
        properties,
        // the names of these two in rows that exist
        rest: otherMembers,
        decided: setByService,
        type: resource.type,
        // subscription and group in their own spelling: their columns are in lower case
        s: resource.subscription,
        g: resource.group,
      }),
      secrets: JSON.stringify(resource.secrets),
      created_at: resource.createdAt,
      changed_at: resource.changedAt,
    };
    await this.db.transaction().execute(async (transaction) => {
      const { key: _key, ...changes } = row;
      await transaction
        .insertInto('resource_manager_resource')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
        .execute();
      await transaction
        .deleteFrom('resource_manager_deleted_workspace')
        .where('key', '=', row.key)
        .execute();
    });
  }

  /** The registration of a namespace in a subscription; undefined if it was never changed. */
  async namespaceState(subscription: string, namespace: string): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('resource_manager_namespace')
      .select('state')
      .where('key', '=', resourceKey(`${subscription}/${namespace}`))
      .executeTakeFirst();
    return row?.state;
  }

  /** Registers or unregisters a namespace. */
  async setNamespaceState(subscription: string, namespace: string, state: string): Promise<void> {
    await this.db
      .insertInto('resource_manager_namespace')
      .values({ key: resourceKey(`${subscription}/${namespace}`), state })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ state }))
      .execute();
  }

  /** Deletes a resource with everything below it. */
  async remove(id: string): Promise<void> {
    const key = resourceKey(id);
    await this.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('resource_manager_resource').where('key', '=', key).execute();
      // Everything whose id begins with this one and a slash: "0" is the character after "/".
      await transaction
        .deleteFrom('resource_manager_resource')
        .where('key', '>', `${key}/`)
        .where('key', '<', `${key}0`)
        .execute();
    });
  }

  /** Adds a deleted log workspace to the list of recoverable ones. */
  async saveDeletedWorkspace(
    workspace: StoredResource,
    body: Json,
    deletedAt: string,
  ): Promise<void> {
    const row = {
      key: resourceKey(workspace.id),
      subscription: workspace.subscription.toLowerCase(),
      resource_group: workspace.group.toLowerCase(),
      body: JSON.stringify(body),
      deleted_at: deletedAt,
    };
    const { key: _key, ...changes } = row;
    await this.db
      .insertInto('resource_manager_deleted_workspace')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changes))
      .execute();
  }

  /** Log workspaces deleted since a time. */
  async deletedWorkspacesSince(
    time: string,
    subscription: string,
    group?: string,
  ): Promise<Json[]> {
    let select = this.db
      .selectFrom('resource_manager_deleted_workspace')
      .select('body')
      .where('subscription', '=', subscription.toLowerCase())
      .where('deleted_at', '>', time)
      .orderBy('key');
    if (group !== undefined) select = select.where('resource_group', '=', group.toLowerCase());
    return (await select.execute()).map(({ body }) => JSON.parse(body) as Json);
  }
}

/** The common form of all spellings of an id. */
export function resourceKey(id: string): string {
  return id.toLowerCase();
}

function fromRow(row: Selectable<Tables['resource_manager_resource']>): StoredResource {
  const { s, g, rest, decided, ...body } = JSON.parse(row.body) as Omit<
    StoredResource,
    'id' | 'name' | 'secrets' | 'otherMembers' | 'setByService'
  > & { s: string; g: string; rest?: Json; decided: Json };
  return {
    ...body,
    ...(rest !== undefined && { otherMembers: rest }),
    setByService: decided,
    id: row.id,
    name: row.name,
    subscription: s,
    group: g,
    secrets: JSON.parse(row.secrets) as StoredSecret[],
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}
