import { performance } from 'node:perf_hooks';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../../common/database.js';
import type { OrderKey } from '../query/ast.js';
import type { Condition, Plan } from './plan.js';
import { readRows, takeTurns } from './statements.js';

/** A place in an ordering: the values of its keys and the row's number, which makes it unique. */
export interface Position {
  readonly values: readonly string[];
  readonly seq: number;
}

/** Milliseconds that a slice should take: other requests wait no longer than that. */
const [least, most] = [4, 12];
const sizes = { first: 1000, smallest: 250, largest: 50_000 };

/**
 * The numbers of a plan's rows in its order, slice by slice, each as a subquery of so many rows as can be looked at in a few
 * milliseconds; between two slices other requests have their turn. Stop reading and nothing further is looked at.
 */
export async function* slicesOf(
  database: Database,
  plan: Plan,
  after: Position | undefined,
): AsyncGenerator<RawBuilder<unknown>, void, undefined> {
  let size = sizes.first;
  let position = after;
  for (;;) {
    let next: Position | undefined;
    for (const range of rangesAfter(plan.order, position)) {
      const started = performance.now();
      const from = sql`from ${plan.table} where ${all([...plan.inIndex, ...range])} order by ${orderBy(plan.order)}`;
      yield sql`select seq ${from} limit ${size}`;
      [next] = await readPositions(database, plan.order, sql`${from} limit 1 offset ${size - 1}`);
      const took = performance.now() - started;
      if (took > most) size = Math.max(sizes.smallest, Math.floor(size / 2));
      else if (took < least) size = Math.min(sizes.largest, size * 2);
      await takeTurns();
      if (next !== undefined) break;
    }
    if (next === undefined) return;
    position = next;
  }
}

/** The places of rows in an ordering. @param from everything of the query but what is selected. */
export async function readPositions(
  database: Database,
  order: readonly OrderKey[],
  from: RawBuilder<unknown>,
): Promise<readonly Position[]> {
  const columns = [...order.map(({ field }) => field.column), 'seq'];
  const list = sql.join(columns.map((column) => sql.ref(`t.${column}`)));
  const rows = await readRows(database, sql`select ${list} ${from}`, columns);
  return rows.map((row) => ({ values: row.slice(0, -1).map(String), seq: Number(row.at(-1)) }));
}

/** All of these conditions. */
export function all(conditions: readonly Condition[]): RawBuilder<unknown> {
  if (conditions.length === 0) return sql`1 = 1`;
  return sql.join([...conditions], sql` and `);
}

/** Rows with equal keys keep the order in which they came, seen in the direction of the last key. */
export function orderBy(order: readonly OrderKey[]): RawBuilder<unknown> {
  const keys = order.map(({ field, direction }) => sql`${sql.ref(field.column)} ${sql.raw(direction)}`);
  return sql.join([...keys, sql`seq ${sql.raw(lastDirection(order))}`]);
}

function lastDirection(order: readonly OrderKey[]): 'asc' | 'desc' {
  return order[order.length - 1]?.direction ?? 'asc';
}

/**
 * The rows after a place, as ranges that an index leads to, the narrowest first: same keys and a higher number; same first keys and a
 * later last one; …; a later first key. Without a place: one range of everything.
 */
export function rangesAfter(order: readonly OrderKey[], position: Position | undefined): readonly (readonly Condition[])[] {
  if (position === undefined) return [[]];
  const { values, seq } = position;
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
