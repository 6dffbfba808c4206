import { sql } from 'kysely';
import type { Generated, Kysely, Migration } from 'kysely';
import type { DatabaseEngine } from '../../common/database.js';
import { fieldColumns } from './fields.js';

/** An invoice; account and name in lower case. `generated` names what a generator put in, so that it isn't done twice. */
export interface InvoiceTable {
  id: Generated<number>;
  account: string;
  name: string;
  transaction_count: number;
  generated: string;
  /** 1 where `billing_text` knows every text of the invoice's transactions. */
  texts_known: Generated<number>;
}

/** A text that a column holds somewhere in an invoice; an empty one: the column has too many to know them. */
export interface TextTable {
  invoice_id: number;
  column_name: string;
  value: string;
}

/** A transaction: fixed columns, and one text column for each field (see `fields.ts`), '' where absent. */
export interface TransactionTable {
  seq: Generated<number>;
  invoice_id: number;
  f_name: string;
  extra: string;
  search_text: string;
  [field: `f_${string}`]: string;
}

/** Every table of the billing service. */
export interface BillingTables {
  billing_invoice: InvoiceTable;
  billing_transaction: TransactionTable;
  billing_text: TextTable;
}

/** The service's view of the database. */
export type BillingDatabase = Kysely<BillingTables>;

/** The history of the service's tables. */
export function billingMigrations(engine: DatabaseEngine): Record<string, Migration> {
  return {
    '001-transactions': { up: (db: Kysely<unknown>) => createTables(db, engine) },
    '002-texts': { up: createTexts },
  };
}

async function createTables(db: Kysely<unknown>, engine: DatabaseEngine): Promise<void> {
  const invoice = db.schema.createTable('billing_invoice');
  await (
    engine === 'sqlite'
      ? invoice.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      : invoice.addColumn('id', 'serial', (column) => column.primaryKey())
  )
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('transaction_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('generated', 'text', (column) => column.notNull().defaultTo(''))
    .addUniqueConstraint('billing_invoice_key', ['account', 'name'])
    .execute();
  // PostgreSQL must compare byte by byte, as SQLite does: stored forms sort so.
  const text = engine === 'sqlite' ? sql`text` : sql`text collate "C"`;
  const transaction = db.schema.createTable('billing_transaction');
  let table =
    engine === 'sqlite'
      ? transaction.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      : transaction.addColumn('seq', 'serial', (column) => column.primaryKey());
  let all = table.addColumn('invoice_id', 'integer', (column) => column.notNull()) as unknown as typeof table;
  for (const column of [...fieldColumns, 'extra', 'search_text'])
    all = all.addColumn(column as 'seq', text, (each) => each.notNull().defaultTo('')) as unknown as typeof table;
  table = all;
  await table.execute();
  await db.schema.createIndex('billing_transaction_order').on('billing_transaction').columns(['invoice_id', 'seq']).execute();
  await db.schema.createIndex('billing_transaction_name').unique().on('billing_transaction').columns(['invoice_id', 'f_name']).execute();
  await db.schema.createIndex('billing_transaction_date').on('billing_transaction').columns(['invoice_id', 'f_date', 'seq']).execute();
}

async function createTexts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('billing_text')
    .addColumn('invoice_id', 'integer', (column) => column.notNull())
    .addColumn('column_name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('billing_text_key', ['invoice_id', 'column_name', 'value'])
    .execute();
  await db.schema
    .alterTable('billing_invoice')
    .addColumn('texts_known', 'integer', (column) => column.notNull().defaultTo(1))
    .execute();
  // What was stored before is looked through as ever.
  await sql`update billing_invoice set texts_known = 0`.execute(db);
}
