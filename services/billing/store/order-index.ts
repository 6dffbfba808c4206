import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../common/database.js';
import { executeInBackground } from '../../common/sqlite.js';
import type { OrderKey } from '../query/order.js';

/**
 * The most orderings that get an index, including those with equality conditions; others are sorted
 * per request.
 */
const maxIndexes = 24;
/** From this number of rows an index is created in the background. */
const manyRows = 50_000;

interface Indexes {
  readonly ready: Set<string>;
  readonly making: Map<string, Promise<void>>;
}

const known = new WeakMap<Database, Promise<Indexes>>();

/** An index for an ordering: its name, and its columns in order. */
export interface OrderIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Returns the index for an ordering, created on first use: there are sixty fields, and few are ever
 * used for sorting.
 *
 * @param equal columns with a single value in the condition: the index starts with them.
 * @returns undefined if the ordering has none.
 */
export async function ensureOrderIndex(
  database: Database,
  equal: readonly string[],
  order: readonly OrderKey[],
): Promise<OrderIndex | undefined> {
  const keys = order.filter(({ field }) => !equal.includes(field.column));
  if (equal.length + keys.length === 0)
    return { name: 'billing_transaction_order', columns: ['invoice_id', 'seq'] };
  const columns = ['invoice_id', ...equal, ...keys.map(({ field }) => field.column), 'seq'];
  const definition = [...equal.map((column) => `"${column}"`), ...withDirections(keys, order)].join(
    ', ',
  );
  const family = equal.length === 0 ? 'billing_order' : 'billing_equal';
  const name = `${family}_${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;
  const { ready, making } = await indexesOf(database);
  if (ready.has(name)) return { name, columns };
  let started = making.get(name);
  if (started === undefined) {
    const full =
      [...ready, ...making.keys()].filter((each) => each.startsWith(family)).length >= maxIndexes;
    if (full) return equal.length === 0 ? undefined : ensureOrderIndex(database, [], order);
    started = make(
      database,
      `create index if not exists ${name} on billing_transaction (invoice_id, ${definition})`,
    )
      .then(() => void ready.add(name))
      .finally(() => making.delete(name));
    making.set(name, started);
  }
  await started;
  return { name, columns };
}

/** An index can be read in both directions: an ordering and its reverse share one. */
function withDirections(keys: readonly OrderKey[], order: readonly OrderKey[]): readonly string[] {
  const last = order.at(-1)?.direction ?? 'asc';
  const mirrored = (keys[0]?.direction ?? last) === 'desc';
  const turn = (direction: 'asc' | 'desc'): 'asc' | 'desc' =>
    (direction === 'asc') === mirrored ? 'desc' : 'asc';
  return [
    ...keys.map(({ field, direction }) => `"${field.column}" ${turn(direction)}`),
    `seq ${turn(last)}`,
  ];
}

async function make(database: Database, statement: string): Promise<void> {
  const { sqlite, connection } = database;
  if (sqlite !== undefined && sqlite.path !== ':memory:') {
    const { rows } = await sql<{
      many: number;
    }>`select max(seq) as many from billing_transaction`.execute(connection);
    if (Number(rows[0]?.many ?? 0) >= manyRows) return executeInBackground(sqlite.path, statement);
  }
  await sql`${sql.raw(statement)}`.execute(connection);
}

/** Includes the indexes of earlier processes. */
function indexesOf(database: Database): Promise<Indexes> {
  let indexes = known.get(database);
  if (indexes === undefined) known.set(database, (indexes = readIndexes(database)));
  return indexes;
}

async function readIndexes({ engine, connection }: Database): Promise<Indexes> {
  const [table, column] =
    engine === 'sqlite' ? ['sqlite_master', 'name'] : ['pg_indexes', 'indexname'];
  const names = sql<{
    name: string;
  }>`select ${sql.ref(column)} as name from ${sql.table(table)} where ${sql.ref(column)} like 'billing%'`;
  const { rows } = await names.execute(connection);
  return {
    ready: new Set(
      rows.map(({ name }) => name).filter((name) => /^billing_(order|equal)_/.test(name)),
    ),
    making: new Map(),
  };
}
