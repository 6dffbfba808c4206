import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../common/database.js';
import type { OrderKey } from '../query/ast.js';
import { rowColumns } from './decode.js';
import type { Row } from './decode.js';
import { planOf } from './plan.js';
import type { Plan, Selection } from './plan.js';
import { all, orderBy, rangesAfter, slicesOf } from './slices.js';
import type { Position } from './slices.js';
import { readRows } from './statements.js';

const columnList = sql.raw(rowColumns.map((column) => `t.${column}`).join(', '));

/** Which part of a selection is wanted. */
export interface PageRequest {
  readonly after?: Position;
  readonly skip: number;
  readonly limit: number;
}

/**
 * Rows of a selection in its order, from a place on. Each place is reached through an index, however late. What an index can't answer
 * is looked for row by row, a slice at a time.
 */
export async function listRows(database: Database, selection: Selection, page: PageRequest): Promise<readonly Row[]> {
  if (page.limit === 0) return [];
  const plan = await planOf(database, selection);
  if (plan === undefined) return [];
  return plan.atOnce || plan.onRows.length === 0 ? readRanges(database, plan, page) : readSlices(database, plan, page);
}

/** How many rows a selection has. */
export async function countRows(database: Database, selection: Selection): Promise<number> {
  if (selection.filter === undefined && selection.search === undefined)
    return numberOf(database, sql`select transaction_count from billing_invoice where id = ${selection.invoiceId}`, 'transaction_count');
  const plan = await planOf(database, { ...selection, order: [] });
  if (plan === undefined) return 0;
  if (plan.atOnce || plan.onRows.length === 0) return countWhere(database, plan.table, [...plan.inIndex, ...plan.onRows]);
  let count = 0;
  for await (const slice of slicesOf(database, plan, undefined)) count += await countWhere(database, rowsOf(slice), plan.onRows);
  return count;
}

async function readRanges(database: Database, plan: Plan, page: PageRequest): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const range of rangesAfter(plan.order, page.after)) {
    const where = all([...plan.inIndex, ...plan.onRows, ...range]);
    const limits = sql`limit ${page.limit - rows.length} offset ${page.skip}`;
    const query = sql`select ${columnList} from ${plan.table} where ${where} order by ${orderBy(plan.order)} ${limits}`;
    rows.push(...(await readRows(database, query, rowColumns)));
    if (rows.length >= page.limit) break;
  }
  return rows;
}

async function readSlices(database: Database, plan: Plan, page: PageRequest): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let { skip } = page;
  for await (const slice of slicesOf(database, plan, page.after)) {
    const from = rowsOf(slice);
    if (skip > 0) {
      const passed = await countWhere(database, from, plan.onRows);
      if (passed <= skip) {
        skip -= passed;
        continue;
      }
    }
    const query = sql`select ${columnList} from ${from} where ${all(plan.onRows)} limit ${page.limit - rows.length} offset ${skip}`;
    rows.push(...(await readRows(database, query, rowColumns)));
    skip = 0;
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/** The rows of a slice in its order: SQLite fetches them one after the other as the slice names them. */
function rowsOf(slice: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${slice}) i cross join billing_transaction t on t.seq = i.seq`;
}

function countWhere(database: Database, from: RawBuilder<unknown>, conditions: readonly RawBuilder<unknown>[]): Promise<number> {
  return numberOf(database, sql`select count(*) as found from ${from} where ${all(conditions)}`, 'found');
}

async function numberOf(database: Database, query: RawBuilder<unknown>, column: string): Promise<number> {
  const [row] = await readRows(database, query, [column]);
  return Number(row?.[0] ?? 0);
}

/** The place of a row in an ordering. */
export function positionOf(row: Row, order: readonly OrderKey[]): Position {
  return { values: order.map(({ field }) => String(row[rowColumns.indexOf(field.column)])), seq: Number(row[0]) };
}
