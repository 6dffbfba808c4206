import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../common/database.js';
import { planOf } from './plan.js';
import type { Plan, Selection } from './plan.js';
import { all, orderBy, rangesAfter, readPositions, slicesOf } from './slices.js';
import type { Position } from './slices.js';
import { readRows } from './statements.js';

/** Milliseconds after which what is looked for in an ordering counts as rare: jumping from row to row costs thrice what reading on does. */
const patience = 100;

/** Which part of a selection is wanted. */
export interface PageRequest {
  readonly after?: Position;
  readonly skip: number;
  readonly limit: number;
}

/**
 * The places of a selection's rows in its order, from a place on. Each place is reached through an index, however late. What an index can't answer
 * is looked for row by row, a slice at a time.
 *
 * @param patient milliseconds after which what is looked for counts as rare.
 */
export async function listRows(
  database: Database,
  selection: Selection,
  page: PageRequest,
  patient = patience,
): Promise<readonly Position[]> {
  if (page.limit === 0) return [];
  const plan = await planOf(database, selection);
  if (plan === undefined) return [];
  if (plan.atOnce || plan.onRows.length === 0) return readRanges(database, plan, page);
  const walked = await readSlices(database, plan, page, plan.order.length === 0 ? Infinity : patient);
  if (walked !== 'rare') return walked;
  const few = await findFew(database, selection);
  if (few === undefined) return (await readSlices(database, plan, page, Infinity)) as readonly Position[];
  if (few.length === 0) return [];
  const chosen = { ...plan, table: sql`billing_transaction t`, inIndex: [sql`seq in (${sql.join(few)})`], onRows: [] };
  return readRanges(database, chosen, page);
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

async function readRanges(database: Database, plan: Plan, page: PageRequest): Promise<readonly Position[]> {
  const rows: Position[] = [];
  for (const range of rangesAfter(plan.order, page.after)) {
    const where = all([...plan.inIndex, ...plan.onRows, ...range]);
    const limits = sql`limit ${page.limit - rows.length} offset ${page.skip}`;
    rows.push(
      ...(await readPositions(database, plan.order, sql`from ${plan.table} where ${where} order by ${orderBy(plan.order)} ${limits}`)),
    );
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/** So many rows are put in order rather than met in order. */
const fewRows = 2000;

/** @returns 'rare' when patience ends before the page is full. */
async function readSlices(database: Database, plan: Plan, page: PageRequest, patient: number): Promise<readonly Position[] | 'rare'> {
  const rows: Position[] = [];
  let { skip } = page;
  const started = performance.now();
  for await (const slice of slicesOf(database, plan, page.after)) {
    if (performance.now() - started > patient) return 'rare';
    const from = rowsOf(slice);
    if (skip > 0) {
      const passed = await countWhere(database, from, plan.onRows);
      if (passed <= skip) {
        skip -= passed;
        continue;
      }
    }
    const limits = sql`limit ${page.limit - rows.length} offset ${skip}`;
    rows.push(...(await readPositions(database, plan.order, sql`from ${from} where ${all(plan.onRows)} ${limits}`)));
    skip = 0;
    if (rows.length >= page.limit) break;
  }
  return rows;
}

/** The numbers of everything in a selection, read in the order of the table; undefined when there are many. */
async function findFew(database: Database, selection: Selection): Promise<readonly number[] | undefined> {
  const plan = await planOf(database, { ...selection, order: [] });
  const found: number[] = [];
  if (plan === undefined) return found;
  for await (const slice of slicesOf(database, plan, undefined)) {
    const more = await readPositions(database, [], sql`from ${rowsOf(slice)} where ${all(plan.onRows)} limit ${fewRows}`);
    found.push(...more.map(({ seq }) => seq));
    if (found.length >= fewRows) return undefined;
  }
  return found;
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
