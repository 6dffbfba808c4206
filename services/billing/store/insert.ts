import { sql } from 'kysely';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { Database } from '../../common/database.js';
import { fieldColumns } from './fields.js';
import type { StoredTransaction } from './stored-transaction.js';
import type { BillingDatabase } from './tables.js';

const columnNames = ['invoice_id', ...fieldColumns, 'search_text'];

/** PostgreSQL allows 65,535 parameters per statement, and a transaction has some sixty. */
const batchSize = 500;

/**
 * Inserts transactions in batches; existing names are skipped.
 *
 * @param dialect the dialect of their JSON
 */
export async function insertTransactions(
  database: Database,
  dialect: Dialect,
  invoiceId: number,
  transactions: Iterable<StoredTransaction>,
): Promise<void> {
  const db = database.connection as unknown as BillingDatabase;
  const insert = database.sqlite === undefined ? postgresInsert(db) : sqliteInsert(database.sqlite);
  let batch: StoredTransaction[] = [];
  for (const transaction of transactions) {
    batch.push(transaction);
    if (batch.length < batchSize) continue;
    await insert(invoiceId, dialect, batch);
    batch = [];
  }
  await insert(invoiceId, dialect, batch);
  await sql`update billing_invoice set transaction_count =
    (select count(*) from billing_transaction where invoice_id = ${invoiceId}) where id = ${invoiceId}`.execute(
    db,
  );
  // The planner must know which columns are selective.
  await sql`analyze billing_transaction`.execute(db);
}

type Insert = (
  invoiceId: number,
  dialect: Dialect,
  batch: readonly StoredTransaction[],
) => Promise<void>;

/** Uses prepared statements: for a million transactions, the query builder is noticeably slower. */
function sqliteInsert(sqlite: NonNullable<Database['sqlite']>): Insert {
  const insertTransaction = sqlite.prepare(
    `insert into billing_transaction (${columnNames.join(', ')}) values (${columnNames.map(() => '?').join(', ')}) on conflict do nothing`,
  );
  const insertDocument = sqlite.prepare(
    'insert into billing_document (seq, dialect, document) values (?, ?, ?)',
  );
  const insertBatch: Insert = (invoiceId, dialect, batch) => {
    sqlite.transaction(() => {
      for (const each of batch) {
        const { changes, lastInsertRowid } = insertTransaction.run([
          invoiceId,
          ...fieldColumns.map((column) => each.columns[column] ?? ''),
          each.searchText,
        ]);
        if (changes > 0) insertDocument.run([lastInsertRowid, dialect, each.document]);
      }
    });
    // Lets waiting requests run.
    return new Promise((done) => setImmediate(done));
  };
  return insertBatch;
}

function postgresInsert(db: BillingDatabase): Insert {
  return async (invoice_id, dialect, batch) => {
    if (batch.length === 0) return;
    // Of two with the same name, the first is stored.
    const documents = new Map(
      batch.toReversed().map(({ columns, document }) => [columns['f_name'], document]),
    );
    const rows = batch.map(({ columns, searchText: search_text }) => ({
      invoice_id,
      search_text,
      ...absentFields,
      ...columns,
    }));
    await db.transaction().execute(async (dbTransaction) => {
      const insert = dbTransaction.insertInto('billing_transaction').values(rows);
      const insertedRows = await insert
        .onConflict((conflict) => conflict.doNothing())
        .returning(['seq', 'f_name'])
        .execute();
      const documentRows = insertedRows.map(({ seq, f_name }) => ({
        seq,
        dialect,
        document: documents.get(f_name) ?? '{}',
      }));
      if (documentRows.length > 0)
        await dbTransaction.insertInto('billing_document').values(documentRows).execute();
    });
  };
}

/** All fields as absent. */
const absentFields = Object.fromEntries(fieldColumns.map((column) => [column, '']));
