import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../common/database.js';
import type { Filter, OrderKey } from '../query/ast.js';
import { compileFilter } from '../query/compile-filter.js';
import { columnsOf, conjunctsOf, equalColumns, namesOne } from '../query/conjuncts.js';
import { narrowFilter } from '../query/narrow.js';
import { ensureOrderIndex } from './order-index.js';
import type { OrderIndex } from './order-index.js';
import { searchCondition } from './search.js';
import { knownTexts } from './text-values.js';

/** What a page is taken from. */
export interface Selection {
  readonly invoiceId: number;
  readonly filter?: Filter;
  /** In lower case. */
  readonly search?: string;
  readonly order: readonly OrderKey[];
}

/** A condition in SQL. */
export type Condition = RawBuilder<unknown>;

/** How a selection is read: from an index in its order, with conditions that the index answers and the rest. */
export interface Plan {
  readonly order: readonly OrderKey[];
  /** The table, bound to an index where one is to be walked. */
  readonly table: RawBuilder<unknown>;
  /** Answered by the index alone. */
  readonly inIndex: readonly Condition[];
  /** What each row must be read for. */
  readonly onRows: readonly Condition[];
  /** Only a few rows can be meant, or the database plans by itself: nothing is gained by going slice by slice. */
  readonly atOnce: boolean;
}

/** Plans the reading of a selection; undefined where nothing can be in it. */
export async function planOf(database: Database, selection: Selection): Promise<Plan | undefined> {
  const { invoiceId, order } = selection;
  const known = await knownTexts(database, invoiceId);
  const narrowed = selection.filter === undefined ? 'all' : narrowFilter(selection.filter, known);
  const search = selection.search === undefined ? undefined : searchCondition(database.engine, selection.search, known);
  if (narrowed === 'none' || search === 'none') return undefined;
  const filter = narrowed === 'all' ? undefined : narrowed;
  const index = await indexFor(database, filter, order);
  const inIndex: Condition[] = [sql`invoice_id = ${invoiceId}`];
  const onRows: Condition[] = search === undefined ? [] : [search];
  for (const each of conjunctsOf(filter)) {
    const answered = columnsOf(each).every((column) => index?.columns.includes(column));
    (answered ? inIndex : onRows).push(compileFilter(each, database.engine));
  }
  const atOnce = database.engine !== 'sqlite' || index === undefined || namesOne(filter);
  return { order, table: tableBy(database, index), inIndex, onRows, atOnce };
}

async function indexFor(database: Database, filter: Filter | undefined, order: readonly OrderKey[]): Promise<OrderIndex | undefined> {
  if (namesOne(filter)) return { name: 'billing_transaction_name', columns: ['invoice_id', 'f_name'] };
  const equal = equalColumns(filter);
  return (equal.length === 0 ? undefined : await ensureOrderIndex(database, equal, order)) ?? ensureOrderIndex(database, [], order);
}

/**
 * SQLite is told which index to walk: its planner guesses that conditions leave few rows, and would rather sort a hundred thousand than
 * stop after fifty. PostgreSQL's takes the limit into account.
 */
function tableBy({ engine }: Database, index: OrderIndex | undefined): RawBuilder<unknown> {
  if (engine !== 'sqlite' || index === undefined) return sql`billing_transaction t`;
  return sql`billing_transaction t indexed by ${sql.raw(index.name)}`;
}
