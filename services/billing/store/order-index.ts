import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import type { OrderKey } from '../query/ast.js';

/** So many orderings get an index of their own; further ones are sorted when asked for. */
const maxIndexes = 24;

const known = new WeakMap<Database, Set<string>>();

/**
 * Sees to it that an ordering can be read from an index: made when it is first asked for, because sixty fields could be ordered by
 * and few ever are.
 *
 * @returns the name of the index; undefined where the ordering has none.
 */
export async function ensureOrderIndex(database: Database, order: readonly OrderKey[]): Promise<string | undefined> {
  if (order.length === 0) return 'billing_transaction_order';
  const last = order[order.length - 1]?.direction ?? 'asc';
  // An index is read backwards as well as forwards: an ordering and its mirror image share one.
  const mirrored = order[0]?.direction === 'desc';
  const turn = (direction: 'asc' | 'desc'): 'asc' | 'desc' => (mirrored ? (direction === 'asc' ? 'desc' : 'asc') : direction);
  const columns = [...order.map(({ field, direction }) => `"${field.column}" ${turn(direction)}`), `seq ${turn(last)}`].join(', ');
  let names = known.get(database);
  if (!names) known.set(database, (names = new Set()));
  const name = `billing_order_${createHash('sha256').update(columns).digest('hex').slice(0, 16)}`;
  if (names.has(name)) return name;
  if (names.size >= maxIndexes) return undefined;
  await sql`create index if not exists ${sql.raw(name)} on billing_transaction (invoice_id, ${sql.raw(columns)})`.execute(
    database.connection,
  );
}
