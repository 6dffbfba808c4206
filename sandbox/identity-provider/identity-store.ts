import type { Adapter, AdapterPayload } from 'oidc-provider';
import { type Database, migrate } from '../../services/common/database.js';
import type { Kysely } from 'kysely';

interface Tables {
  identity_provider_entry: {
    /** Model and id: `Session:V1StGXR8`. */
    key: string;
    /** The type of oidc-provider: `Session`, `AuthorizationCode`. */
    model: string;
    /** JSON. */
    payload: string;
    /** The grant that it ends with. */
    grant_id: string | null;
    /** The `uid` of a session, or the user code of a device code. */
    uid: string | null;
    /** Seconds since 1970; null for what does not expire. */
    expires_at: number | null;
  };
}

/** Creates the table of the identity provider, if needed. */
async function openTable(database: Database): Promise<Kysely<Tables>> {
  await migrate(database, 'identity_provider', {
    '001-entries': {
      async up(db: Kysely<unknown>) {
        await db.schema
          .createTable('identity_provider_entry')
          .addColumn('key', 'text', (column) => column.primaryKey())
          .addColumn('model', 'text', (column) => column.notNull())
          .addColumn('payload', 'text', (column) => column.notNull())
          .addColumn('grant_id', 'text')
          .addColumn('uid', 'text')
          .addColumn('expires_at', 'bigint')
          .execute();
        await db.schema
          .createIndex('identity_provider_entry_grant')
          .on('identity_provider_entry')
          .column('grant_id')
          .execute();
        await db.schema
          .createIndex('identity_provider_entry_uid')
          .on('identity_provider_entry')
          .column('uid')
          .execute();
      },
    },
  });
  return database.connection as unknown as Kysely<Tables>;
}

/**
 * Opens the store of sessions, codes and tokens of the identity provider in the sandbox's database,
 * so that they outlive the process.
 *
 * @returns the adapter of oidc-provider for each of its models
 */
export async function openIdentityStore(database: Database): Promise<(model: string) => Adapter> {
  const db = await openTable(database);
  await db.deleteFrom('identity_provider_entry').where('expires_at', '<', nowSeconds()).execute();
  return (model) => new EntryAdapter(db, model);
}

/** The models whose entries are one person's. */
const modelsOfPeople = ['Session', 'Grant', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'];

/** Ends the sessions of a person, and the codes and refresh tokens that applications have. */
export async function endSessionsOf(database: Database, personId: string): Promise<void> {
  const db = await openTable(database);
  await db
    .deleteFrom('identity_provider_entry')
    .where('model', 'in', modelsOfPeople)
    .where('payload', 'like', `%"accountId":${JSON.stringify(personId)}%`)
    .execute();
}

class EntryAdapter implements Adapter {
  constructor(
    private readonly db: Kysely<Tables>,
    private readonly model: string,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const entry = {
      model: this.model,
      payload: JSON.stringify(payload),
      grant_id: payload.grantId ?? null,
      uid: payload.uid ?? payload.userCode ?? null,
      expires_at: expiresIn === undefined ? null : nowSeconds() + expiresIn,
    };
    await this.db
      .insertInto('identity_provider_entry')
      .values({ key: this.rowKey(id), ...entry })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(entry))
      .execute();
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.payloadOf(
      this.db
        .selectFrom('identity_provider_entry')
        .where('key', '=', this.rowKey(id))
        .selectAll()
        .executeTakeFirst(),
    );
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const query = this.db
      .selectFrom('identity_provider_entry')
      .where('model', '=', this.model)
      .where('uid', '=', uid);
    return this.payloadOf(query.selectAll().executeTakeFirst());
  }

  findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.findByUid(userCode);
  }

  async consume(id: string): Promise<void> {
    const entry = await this.find(id);
    if (entry === undefined) return;
    const payload = JSON.stringify({ ...entry, consumed: nowSeconds() });
    await this.db
      .updateTable('identity_provider_entry')
      .set({ payload })
      .where('key', '=', this.rowKey(id))
      .execute();
  }

  async destroy(id: string): Promise<void> {
    await this.db
      .deleteFrom('identity_provider_entry')
      .where('key', '=', this.rowKey(id))
      .execute();
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.db.deleteFrom('identity_provider_entry').where('grant_id', '=', grantId).execute();
  }

  private async payloadOf(
    query: Promise<Tables['identity_provider_entry'] | undefined>,
  ): Promise<AdapterPayload | undefined> {
    const row = await query;
    if (row === undefined) return undefined;
    // Expired device codes are found, so that a device learns that its code has expired.
    if (
      this.model !== 'DeviceCode' &&
      row.expires_at !== null &&
      Number(row.expires_at) <= nowSeconds()
    )
      return undefined;
    return JSON.parse(row.payload) as AdapterPayload;
  }

  private rowKey(id: string): string {
    return `${this.model}:${id}`;
  }
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
