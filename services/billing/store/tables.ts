import { type Generated, type Kysely, type Migration, sql } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import { fieldColumns } from './fields.js';

/**
 * An invoice; account and name in lower case. `generated` records the generator's options, so that
 * it does not run twice.
 */
export interface InvoiceTable {
  id: Generated<number>;
  /** The billing account's name. */
  account: string;
  /** The invoice's name. */
  name: string;
  /** How many transactions it has. */
  transaction_count: number;
  generated: string;
}

/**
 * A transaction: one text column per field (see `fields.ts`), '' if absent, and the texts for
 * searches.
 */
export interface TransactionTable {
  /** The number of the row, in the order of insertion. */
  seq: Generated<number>;
  /** The `id` in {@link InvoiceTable}. */
  invoice_id: number;
  search_text: string;
  [field: `f_${string}`]: string;
}

/** The JSON of a transaction, in a separate table so that rows to filter and search stay small. */
export interface DocumentTable {
  /** That of its row in {@link TransactionTable}. */
  seq: number;
  /** The dialect of the JSON. */
  dialect: string;
  document: string;
}

/** Every table of the billing service. */
export interface BillingTables {
  billing_invoice: InvoiceTable;
  billing_transaction: TransactionTable;
  billing_document: DocumentTable;
}

/** The service's view of the database. */
export type BillingDatabase = Kysely<BillingTables>;

/**
 * The migrations of the service's tables. Up to 002 no JSON was stored: 003 starts with empty
 * tables, which the seed fills again.
 */
export function billingMigrations(engine: DatabaseEngine): Record<string, Migration> {
  const supersededMigration = { up: () => Promise.resolve() };
  return {
    '001-transactions': supersededMigration,
    '002-texts': supersededMigration,
    '003-documents': { up: (db: Kysely<unknown>) => createTables(db, engine) },
  };
}

async function createTables(db: Kysely<unknown>, engine: DatabaseEngine): Promise<void> {
  for (const table of ['billing_text', 'billing_transaction', 'billing_invoice'])
    await db.schema.dropTable(table).ifExists().execute();
  const key =
    engine === 'sqlite' ? sql`integer primary key autoincrement` : sql`serial primary key`;
  // PostgreSQL must compare bytes, as SQLite does: stored forms sort that way.
  const text =
    engine === 'sqlite' ? sql`text not null default ''` : sql`text collate "C" not null default ''`;
  const fields = sql.join(
    [...fieldColumns, 'search_text'].map((column) => sql`${sql.ref(column)} ${text}`),
  );
  const statements = [
    sql`create table billing_invoice (id ${key}, account text not null, name text not null, transaction_count integer not null default 0,
      generated text not null default '', unique (account, name))`,
    sql`create table billing_transaction (seq ${key}, invoice_id integer not null, ${fields})`,
    sql`create table billing_document (seq integer primary key, dialect text not null, document text not null)`,
    sql`create index billing_transaction_order on billing_transaction (invoice_id, seq)`,
    sql`create unique index billing_transaction_name on billing_transaction (invoice_id, f_name)`,
    sql`create index billing_transaction_date on billing_transaction (invoice_id, f_date, seq)`,
  ];
  for (const statement of statements) await statement.execute(db);
}
