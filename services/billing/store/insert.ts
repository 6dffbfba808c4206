import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import { fieldColumns } from './fields.js';
import type { StoredTransaction } from './encode.js';
import type { BillingDatabase } from './tables.js';
import { forgetTexts, TextCollector } from './text-values.js';

const columns = ['invoice_id', ...fieldColumns, 'extra', 'search_text'];

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

/** Inserts transactions a thousand at a time; what is there already by its name is left alone. */
export async function insertTransactions(database: Database, invoiceId: number, transactions: Iterable<StoredTransaction>): Promise<void> {
  const insert = database.sqlite === undefined ? intoPostgres(database) : intoSqlite(database.sqlite);
  const texts = await TextCollector.open(database, invoiceId);
  const store = async (batch: readonly StoredTransaction[]): Promise<void> => {
    await insert(invoiceId, batch, texts.take(batch.map((each) => each.columns)));
    forgetTexts(database);
  };
  let batch: StoredTransaction[] = [];
  for (const transaction of transactions) {
    batch.push(transaction);
    if (batch.length < 1000) continue;
    await store(batch);
    batch = [];
  }
  if (batch.length > 0) await store(batch);
  const db = database.connection as unknown as BillingDatabase;
  const { count } = await db
    .selectFrom('billing_transaction')
    .select((column) => column.fn.countAll<number>().as('count'))
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('billing_invoice')
    .set({ transaction_count: Number(count) })
    .where('id', '=', invoiceId)
    .execute();
  // The planner must know which columns tell transactions apart.
  await sql`analyze billing_transaction`.execute(database.connection);
}

/** Texts that no transaction before had go in first: what is stored is always known. */
type Insert = (invoiceId: number, batch: readonly StoredTransaction[], texts: ReturnType<TextCollector['take']>) => Promise<void>;

function valuesOf(invoiceId: number, { columns: values, extra, searchText }: StoredTransaction): (string | number)[] {
  return [invoiceId, ...fieldColumns.map((column) => values[column] ?? ''), extra, searchText];
}

/** One prepared statement for all of them: a million must not take minutes. */
function intoSqlite(sqlite: NonNullable<Database['sqlite']>): Insert {
  const statement = sqlite.prepare(
    `insert into billing_transaction (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')}) on conflict do nothing`,
  );
  const text = sqlite.prepare('insert into billing_text (invoice_id, column_name, value) values (?, ?, ?) on conflict do nothing');
  const all = sqlite.transaction((...[invoiceId, batch, texts]: Parameters<Insert>) => {
    for (const { column, value } of texts) text.run(invoiceId, column, value);
    for (const each of batch) statement.run(valuesOf(invoiceId, each));
  });
  return (...inserted) => {
    all(...inserted);
    // Requests that came in meanwhile get their turn.
    return new Promise((done) => setImmediate(done));
  };
}

function intoPostgres(database: Database): Insert {
  return async (invoiceId, batch, texts) => {
    for (let start = 0; start < texts.length; start += 5000) {
      const rows = texts.slice(start, start + 5000).map(({ column, value }) => sql`(${invoiceId}, ${column}, ${value})`);
      await sql`insert into billing_text (invoice_id, column_name, value) values ${sql.join(rows)} on conflict do nothing`.execute(
        database.connection,
      );
    }
    // A statement takes 65,535 values.
    for (let start = 0; start < batch.length; start += 500) {
      const rows = batch.slice(start, start + 500).map((each) => sql`(${sql.join(valuesOf(invoiceId, each))})`);
      const names = sql.join(columns.map((column) => sql.ref(column)));
      await sql`insert into billing_transaction (${names}) values ${sql.join(rows)} on conflict do nothing`.execute(database.connection);
    }
  };
}
