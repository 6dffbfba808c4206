import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../../../core/dialect/dialect.js';
import type { Database } from '../../common/database.js';
import { fieldColumns } from './fields.js';
import type { StoredTransaction } from './transaction.js';
import type { BillingDatabase } from './tables.js';

const columns = ['invoice_id', ...fieldColumns, 'search_text'];

/** The invoice with this account and name, made when there is none; letter case doesn't count. */
export async function ensureInvoice(db: BillingDatabase, account: string, name: string): Promise<{ id: number; generated: string }> {
  const key = { account: account.toLowerCase(), name: name.toLowerCase() };
  await db
    .insertInto('billing_invoice')
    .values({ ...key, transaction_count: 0, generated: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('billing_invoice')
    .select(['id', 'generated'])
    .where('account', '=', key.account)
    .where('name', '=', key.name)
    .executeTakeFirstOrThrow();
}

const batchSize = 1000;

/** Inserts transactions a thousand at a time; one whose name is stored already is left alone. @param dialect whose names their JSON has. */
export async function insertTransactions(
  database: Database,
  dialect: Dialect,
  invoiceId: number,
  transactions: Iterable<StoredTransaction>,
): Promise<void> {
  const insert = database.sqlite === undefined ? intoPostgres(database) : intoSqlite(database.sqlite);
  let batch: StoredTransaction[] = [];
  for (const transaction of transactions) {
    batch.push(transaction);
    if (batch.length < batchSize) continue;
    await insert(invoiceId, dialect, batch);
    batch = [];
  }
  await insert(invoiceId, dialect, batch);
  const db = database.connection as unknown as BillingDatabase;
  await sql`update billing_invoice set transaction_count =
    (select count(*) from billing_transaction where invoice_id = ${invoiceId}) where id = ${invoiceId}`.execute(db);
  // The planner must know which columns distinguish transactions.
  await sql`analyze billing_transaction`.execute(db);
}

type Insert = (invoiceId: number, dialect: Dialect, batch: readonly StoredTransaction[]) => Promise<void>;

function valuesOf(invoiceId: number, { columns: values, searchText }: StoredTransaction): (string | number)[] {
  return [invoiceId, ...fieldColumns.map((column) => values[column] ?? ''), searchText];
}

/** Prepared statements for all of them: a million must not take minutes. */
function intoSqlite(sqlite: NonNullable<Database['sqlite']>): Insert {
  const transaction = sqlite.prepare(
    `insert into billing_transaction (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) on conflict do nothing`,
  );
  const document = sqlite.prepare('insert into billing_document (seq, dialect, document) values (?, ?, ?)');
  const all = (...[invoiceId, dialect, batch]: Parameters<Insert>): void => {
    for (const each of batch) {
      const { changes, lastInsertRowid } = transaction.run(valuesOf(invoiceId, each));
      if (changes > 0) document.run([lastInsertRowid, dialect, each.document]);
    }
  };
  return (...inserted) => {
    sqlite.transaction(() => all(...inserted));
    // Requests that came in meanwhile get their turn.
    return new Promise((done) => setImmediate(done));
  };
}

function intoPostgres({ connection }: Database): Insert {
  return async (invoiceId, dialect, batch) => {
    // A statement takes 65,535 values.
    for (let start = 0; start < batch.length; start += 500) {
      const part = batch.slice(start, start + 500);
      const documents = new Map(part.map(({ columns: { f_name: name = '' }, document }) => [name, document]));
      const rows = part.map((each): RawBuilder<unknown> => sql`(${sql.join(valuesOf(invoiceId, each))})`);
      const names = sql.join(columns.map((column) => sql.ref(column)));
      await connection.transaction().execute(async (transaction) => {
        const inserted = await sql<{ seq: number; f_name: string }>`insert into billing_transaction (${names}) values ${sql.join(rows)}
          on conflict do nothing returning seq, f_name`.execute(transaction);
        const stored = inserted.rows.map((row) => sql`(${row.seq}, ${dialect}, ${documents.get(row.f_name) ?? '{}'})`);
        if (stored.length > 0)
          await sql`insert into billing_document (seq, dialect, document) values ${sql.join(stored)}`.execute(transaction);
      });
    }
  };
}
