import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type Dialect, dialectWords } from '../../../core/dialect/dialect.js';
import type { Database } from '../../common/database.js';
import type { Filter } from '../query/filter.js';
import type { OrderKey } from '../query/order.js';
import { ensureOrderIndex } from './order-index.js';
import type { BillingDatabase, InvoiceTable } from './tables.js';

/** The rows from which a page is taken. */
export interface Selection {
  /** The `id` in the table of invoices. */
  readonly invoiceId: number;
  readonly filter?: Filter;
  /** In lower case. */
  readonly search?: string;
  readonly order: readonly OrderKey[];
}

/**
 * A position in an ordering: the values of its keys and the row's number, which makes it unique.
 */
export interface Position {
  /** In stored form, one for each sort key. */
  readonly values: readonly string[];
  /** The `seq` of the row. */
  readonly seq: number;
}

/** The requested part of a selection. `skip` applies only without a position. */
export interface PageRequest {
  /** That of the row before the page. @default the page starts the selection */
  readonly after?: Position;
  /** How many rows are left out before the page. */
  readonly skip: number;
  readonly limit: number;
}

type Invoice = Pick<Selectable<InvoiceTable>, 'id' | 'generated'>;
type Condition = RawBuilder<unknown>;

/**
 * How to read a selection: the table with an index in its order, the conditions that one query checks,
 * and the others.
 */
interface QueryPlan {
  readonly order: readonly OrderKey[];
  /** What follows `from`, with the index as a hint. */
  readonly table: RawBuilder<unknown>;
  /** The conditions of the query itself. */
  readonly inQuery: readonly Condition[];
  /** Conditions that are checked on the rows of the query, a slice at a time. */
  readonly onRows: readonly Condition[];
}

/** The number of rows checked before other requests can run: a few milliseconds. */
const sliceSize = 1000;

/** The stored transactions. All pages are found by an index, also the last ones. */
export class TransactionStore {
  readonly db: BillingDatabase;

  constructor(
    readonly database: Database,
    private readonly dialect: Dialect,
  ) {
    this.db = database.connection as unknown as BillingDatabase;
  }

  /** An invoice by account and name, letter case ignored. */
  findInvoice(account: string, name: string): Promise<Invoice | undefined> {
    const invoices = this.db
      .selectFrom('billing_invoice')
      .where('account', '=', account.toLowerCase());
    return invoices
      .where('name', '=', name.toLowerCase())
      .select(['id', 'generated'])
      .executeTakeFirst();
  }

  /** Finds an invoice, or creates it. */
  async ensureInvoice(account: string, name: string): Promise<Invoice> {
    const invoice = {
      account: account.toLowerCase(),
      name: name.toLowerCase(),
      transaction_count: 0,
      generated: '',
    };
    const insert = this.db.insertInto('billing_invoice').values(invoice);
    await insert.onConflict((conflict) => conflict.doNothing()).execute();
    return (await this.findInvoice(account, name)) as Invoice;
  }

  /** Whether an account has invoices; letter case is ignored. */
  async hasAccount(account: string): Promise<boolean> {
    const invoices = this.db
      .selectFrom('billing_invoice')
      .where('account', '=', account.toLowerCase());
    return (await invoices.select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  /** The JSON of transactions, in the given order. */
  async documents(seqs: readonly number[]): Promise<readonly string[]> {
    if (seqs.length === 0) return [];
    const rows = await this.db
      .selectFrom('billing_document')
      .selectAll()
      .where('seq', 'in', seqs)
      .execute();
    const bySeq = new Map(
      rows.map((row) => [row.seq, this.#inDialect(row.document, row.dialect as Dialect)]),
    );
    return seqs.map((seq) => bySeq.get(seq) ?? '{}');
  }

  /**
   * The positions of a selection's rows in its order. Conditions that an index cannot answer are
   * checked row by row, a slice at a time.
   */
  async list(
    selection: Selection,
    { after, skip, limit }: PageRequest,
  ): Promise<readonly Position[]> {
    const plan = await this.#plan(selection);
    if (plan.onRows.length === 0) return this.#read(plan, after, limit, skip);
    const matches: Position[] = [];
    let toSkip = after === undefined ? skip : 0;
    for await (const rows of this.#matches(plan, after)) {
      matches.push(...rows.slice(toSkip));
      toSkip = Math.max(0, toSkip - rows.length);
      if (matches.length >= limit) break;
    }
    return matches.slice(0, limit);
  }

  /** The number of rows in a selection. */
  async count(selection: Selection): Promise<number> {
    if (selection.filter === undefined && selection.search === undefined) {
      const invoice = this.db.selectFrom('billing_invoice').where('id', '=', selection.invoiceId);
      return (await invoice.select('transaction_count').executeTakeFirst())?.transaction_count ?? 0;
    }
    const plan = await this.#plan({ ...selection, order: [] });
    if (plan.onRows.length === 0) {
      const countQuery = sql<{
        count: number | string;
      }>`select count(*) as count from ${plan.table} where ${joinWithAnd(plan.inQuery)}`;
      return Number((await countQuery.execute(this.db)).rows[0]?.count ?? 0);
    }
    let count = 0;
    for await (const rows of this.#matches(plan, undefined)) count += rows.length;
    return count;
  }

  /**
   * SQLite gets the index as a hint: its planner underestimates the rows, and would sort a hundred
   * thousand instead of stopping after fifty. PostgreSQL's planner considers the limit.
   */
  async #plan({ invoiceId, filter, search, order }: Selection): Promise<QueryPlan> {
    const { engine } = this.database;
    const conjuncts = filter === undefined ? [] : (filter.conjuncts ?? [filter]);
    const [inQuery, onRows]: [Condition[], Condition[]] = [[sql`invoice_id = ${invoiceId}`], []];
    // A name occurs once in an invoice: its own index finds the row.
    const hasName = conjuncts.some(({ oneOf }) => oneOf?.field.column === 'f_name');
    const index = hasName
      ? undefined
      : await ensureOrderIndex(this.database, equalColumns(conjuncts), order);
    const isOneQuery = index === undefined || engine !== 'sqlite';
    for (const { condition, columns } of conjuncts) {
      const isInQuery = isOneQuery || columns.every((column) => index.columns.includes(column));
      (isInQuery ? inQuery : onRows).push(condition);
    }
    const positionFunction = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos');
    if (search !== undefined)
      (isOneQuery ? inQuery : onRows).push(sql`${positionFunction}(search_text, ${search}) > 0`);
    return {
      order,
      table: sql`billing_transaction t ${sql.raw(isOneQuery ? '' : `indexed by ${index.name}`)}`,
      inQuery,
      onRows,
    };
  }

  /** The rows of a plan's index after a position. */
  async #read(
    plan: QueryPlan,
    after: Position | undefined,
    limit: number,
    skip = 0,
  ): Promise<readonly Position[]> {
    const columns = [...plan.order.map(({ field }) => field.column), 'seq'];
    const rows: Position[] = [];
    for (const range of rangesAfter(plan.order, after)) {
      const query = sql<
        Record<string, string>
      >`select ${sql.join(columns.map((column) => sql.ref(column)))} from ${plan.table}
        where ${joinWithAnd([...plan.inQuery, ...range])} order by ${orderBy(plan.order)}
        limit ${limit - rows.length} offset ${after === undefined ? skip : 0}`;
      for (const row of (await query.execute(this.db)).rows)
        rows.push({
          values: columns.slice(0, -1).map((column) => row[column] ?? ''),
          seq: Number(row['seq']),
        });
      if (rows.length >= limit) break;
    }
    return rows;
  }

  /**
   * The rows that satisfy all conditions of a plan, slice by slice; between slices other requests
   * can run.
   */
  async *#matches(
    plan: QueryPlan,
    after: Position | undefined,
  ): AsyncGenerator<readonly Position[], void, undefined> {
    for (let position = after; ;) {
      const slice = await this.#read(plan, position, sliceSize);
      const seqs = JSON.stringify(slice.map(({ seq }) => seq));
      const query = sql<{ seq: number }>`select seq from billing_transaction
        where seq in (select value from json_each(${seqs})) and ${joinWithAnd(plan.onRows)}`;
      const matching = new Set((await query.execute(this.db)).rows.map(({ seq }) => seq));
      yield slice.filter(({ seq }) => matching.has(seq));
      if (slice.length < sliceSize) return;
      position = slice.at(-1);
      await new Promise((done) => setImmediate(done));
    }
  }

  /** Converts transactions stored in the other dialect. */
  #inDialect(document: string, storedDialect: Dialect): string {
    if (storedDialect === this.dialect) return document;
    return [dialectWords.creditApplied, dialectWords.plan].reduce(
      (text, word) => text.replace(`"${word[storedDialect]}":`, `"${word[this.dialect]}":`),
      document,
    );
  }
}

/** The most columns with a single value that an index starts with. */
const maxEqualColumns = 2;

/**
 * The columns with a single value in the condition: an index that starts with them leads straight
 * to the rows.
 */
function equalColumns(conjuncts: readonly Filter[]): readonly string[] {
  const columns = conjuncts.flatMap(({ oneOf }) =>
    oneOf?.values.length === 1 &&
    oneOf.values[0] !== '' &&
    ['text', 'boolean'].includes(oneOf.field.kind)
      ? [oneOf.field.column]
      : [],
  );
  return [...new Set(columns)].sort().slice(0, maxEqualColumns);
}

function joinWithAnd(conditions: readonly Condition[]): Condition {
  return sql.join([...conditions], sql` and `);
}

/** Rows with equal keys are in the order of insertion, reversed if the last key descends. */
function orderBy(order: readonly OrderKey[]): RawBuilder<unknown> {
  const keys = order.map(
    ({ field, direction }) => sql`${sql.ref(field.column)} ${sql.raw(direction)}`,
  );
  return sql.join([...keys, sql`seq ${sql.raw(order.at(-1)?.direction ?? 'asc')}`]);
}

/**
 * The rows after a position, as ranges of an index, the narrowest first: equal keys and a higher
 * number; equal first keys and a later last one; …; a later first key. Without a position: one
 * range of everything.
 */
function rangesAfter(
  order: readonly OrderKey[],
  position: Position | undefined,
): readonly (readonly Condition[])[] {
  if (position === undefined) return [[]];
  const { values, seq } = position;
  const comparison = (direction: 'asc' | 'desc' = 'asc'): RawBuilder<unknown> =>
    sql.raw(direction === 'asc' ? '>' : '<');
  const equalKeys = order.map(
    ({ field }, index) => sql`${sql.ref(field.column)} = ${values[index] ?? ''}`,
  );
  const laterKeys = order.map(({ field, direction }, index) => [
    ...equalKeys.slice(0, index),
    sql`${sql.ref(field.column)} ${comparison(direction)} ${values[index] ?? ''}`,
  ]);
  return [
    [...equalKeys, sql`seq ${comparison(order.at(-1)?.direction)} ${seq}`],
    ...laterKeys.reverse(),
  ];
}
