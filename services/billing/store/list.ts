import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../common/database.js';
import type { Filter, OrderKey } from '../query/ast.js';
import { compileFilter } from '../query/compile-filter.js';
import { searchSeparator } from './encode.js';
import { textColumns } from './fields.js';
import { ensureOrderIndex } from './order-index.js';

/** What a page is taken from. */
export interface Selection {
  readonly invoiceId: number;
  readonly filter?: Filter;
  /** In lower case. */
  readonly search?: string;
  readonly order: readonly OrderKey[];
}

/** A place in an ordering: the values of its keys and the row's number, which makes it unique. */
export interface Position {
  readonly values: readonly string[];
  readonly seq: number;
}

/** A stored row with its number. */
export type Row = Readonly<Record<string, unknown>> & { readonly seq: number };

type Condition = RawBuilder<unknown>;

/**
 * Rows of a selection in its order, from a place on. Each place is reached through an index, however late: the rows after it are read
 * as ranges, the narrowest first (same keys and a higher number; same first keys and a later last one; …; a later first key).
 */
export async function listRows(
  database: Database,
  selection: Selection,
  page: { readonly after?: Position; readonly skip: number; readonly limit: number },
): Promise<readonly Row[]> {
  if (page.limit === 0) return [];
  const index = namesOne(selection.filter) ? 'billing_transaction_name' : await ensureOrderIndex(database, selection.order);
  const table = tableBy(database, index);
  const restricted = restrictions(database, selection);
  const order = orderBy(selection.order);
  if (page.after === undefined) return run(database, table, restricted, order, page.limit, page.skip);
  const rows: Row[] = [];
  for (const range of rangesAfter(selection.order, page.after)) {
    rows.push(...(await run(database, table, [...restricted, ...range], order, page.limit - rows.length, 0)));
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/** How many rows a selection has. */
export async function countRows(database: Database, selection: Selection): Promise<number> {
  if (selection.filter === undefined && selection.search === undefined) {
    const known = sql<{ count: number }>`select transaction_count as count from billing_invoice where id = ${selection.invoiceId}`;
    return Number((await known.execute(database.connection)).rows[0]?.count ?? 0);
  }
  const where = sql.join(restrictions(database, selection), sql` and `);
  const counted = await sql<{ count: number }>`select count(*) as count from billing_transaction where ${where}`.execute(
    database.connection,
  );
  return Number(counted.rows[0]?.count ?? 0);
}

/**
 * SQLite is told which index to walk: its planner guesses that conditions leave few rows, and would rather sort a hundred thousand than
 * stop after fifty. PostgreSQL's takes the limit into account.
 */
function tableBy(database: Database, index: string | undefined): RawBuilder<unknown> {
  if (database.engine !== 'sqlite' || index === undefined) return sql`billing_transaction`;
  return sql`billing_transaction indexed by ${sql.raw(index)}`;
}

/** Whether a filter asks for transactions by their names: then there are few, whatever the order. */
function namesOne(filter: Filter | undefined): boolean {
  if (filter === undefined) return false;
  if (filter.kind === 'and') return filter.operands.some(namesOne);
  return filter.kind === 'in'
    ? filter.field.column === 'f_name'
    : filter.kind === 'compare' && filter.operator === 'eq' && filter.field.column === 'f_name';
}

async function run(
  database: Database,
  table: RawBuilder<unknown>,
  conditions: readonly Condition[],
  order: RawBuilder<unknown>,
  limit: number,
  skip: number,
): Promise<readonly Row[]> {
  const where = sql.join([...conditions], sql` and `);
  const query = sql<Row>`select * from ${table} where ${where} order by ${order} limit ${limit} offset ${skip}`;
  return (await query.execute(database.connection)).rows;
}

function restrictions(database: Database, { invoiceId, filter, search }: Selection): readonly Condition[] {
  const conditions: Condition[] = [sql`invoice_id = ${invoiceId}`];
  if (filter !== undefined) conditions.push(compileFilter(filter, database.engine));
  if (search !== undefined) conditions.push(searchCondition(database, search));
  return conditions;
}

/** Looks through the texts of the columns, or through the prepared text where there are letters beyond ASCII. */
function searchCondition({ engine }: Database, search: string): Condition {
  const find = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos');
  const separator = sql.lit(searchSeparator);
  const texts = sql.join(
    textColumns.map((column) => sql`substr(${sql.ref(column)}, 2)`),
    sql` || ${separator} || `,
  );
  return sql`case when search_text = '' then ${find}(lower(${texts}), ${search}) else ${find}(search_text, ${search}) end > 0`;
}

/** Rows with equal keys keep the order in which they came, seen in the direction of the last key. */
function lastDirection(order: readonly OrderKey[]): 'asc' | 'desc' {
  return order[order.length - 1]?.direction ?? 'asc';
}

function orderBy(order: readonly OrderKey[]): RawBuilder<unknown> {
  const keys = order.map(({ field, direction }) => sql`${sql.ref(field.column)} ${sql.raw(direction)}`);
  return sql.join([...keys, sql`seq ${sql.raw(lastDirection(order))}`]);
}

function rangesAfter(order: readonly OrderKey[], { values, seq }: Position): readonly (readonly Condition[])[] {
  const beyond = (direction: 'asc' | 'desc'): RawBuilder<unknown> => sql.raw(direction === 'asc' ? '>' : '<');
  const same = order.map(({ field }, index) => sql`${sql.ref(field.column)} = ${values[index] ?? ''}`);
  const ranges: (readonly Condition[])[] = [[...same, sql`seq ${beyond(lastDirection(order))} ${seq}`]];
  for (let index = order.length - 1; index >= 0; index--) {
    const key = order[index];
    if (!key) continue;
    ranges.push([...same.slice(0, index), sql`${sql.ref(key.field.column)} ${beyond(key.direction)} ${values[index] ?? ''}`]);
  }
  return ranges;
}
