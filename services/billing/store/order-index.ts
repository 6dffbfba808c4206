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
/** The number of rows from which an index is created in the background. */
const backgroundThreshold = 50_000;

interface Indexes {
  /** Names of indexes. */
  readonly ready: Set<string>;
  /** By the name of the index. */
  readonly building: Map<string, Promise<void>>;
}

const indexesByDatabase = new WeakMap<Database, Promise<Indexes>>();

/** An index for an ordering: its name, and its columns in order. */
export interface OrderIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Returns the index for an ordering, created on first use: there are sixty fields, and few are ever
 * used for sorting.
 *
 * @param equalColumns columns with a single value in the condition: the index starts with them.
 * @returns undefined if the ordering has none.
 */
export async function ensureOrderIndex(
  database: Database,
  equalColumns: readonly string[],
  order: readonly OrderKey[],
): Promise<OrderIndex | undefined> {
  const sortKeys = order.filter(({ field }) => !equalColumns.includes(field.column));
  if (equalColumns.length + sortKeys.length === 0)
    return { name: 'billing_transaction_order', columns: ['invoice_id', 'seq'] };
  const columns = [
    'invoice_id',
    ...equalColumns,
    ...sortKeys.map(({ field }) => field.column),
    'seq',
  ];
  const definition = [
    ...equalColumns.map((column) => `"${column}"`),
    ...normalizedDirections(sortKeys, order),
  ].join(', ');
  const namePrefix = equalColumns.length === 0 ? 'billing_order' : 'billing_equal';
  const name = `${namePrefix}_${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;
  const { ready, building } = await cachedIndexes(database);
  if (ready.has(name)) return { name, columns };
  let creation = building.get(name);
  if (creation === undefined) {
    const isFull =
      [...ready, ...building.keys()].filter((each) => each.startsWith(namePrefix)).length >=
      maxIndexes;
    if (isFull)
      return equalColumns.length === 0 ? undefined : ensureOrderIndex(database, [], order);
    creation = createIndex(
      database,
      `create index if not exists ${name} on billing_transaction (invoice_id, ${definition})`,
    )
      .then(() => void ready.add(name))
      .finally(() => building.delete(name));
    building.set(name, creation);
  }
  await creation;
  return { name, columns };
}

/**
 * Columns and directions of an index. It can be read in both directions: so that an ordering and
 * its reverse share one, its first key always ascends.
 */
function normalizedDirections(
  sortKeys: readonly OrderKey[],
  order: readonly OrderKey[],
): readonly string[] {
  const last = order.at(-1)?.direction ?? 'asc';
  const isMirrored = (sortKeys[0]?.direction ?? last) === 'desc';
  const normalize = (direction: 'asc' | 'desc'): 'asc' | 'desc' =>
    (direction === 'asc') === isMirrored ? 'desc' : 'asc';
  return [
    ...sortKeys.map(({ field, direction }) => `"${field.column}" ${normalize(direction)}`),
    `seq ${normalize(last)}`,
  ];
}

async function createIndex(database: Database, statement: string): Promise<void> {
  const { sqlite, connection } = database;
  if (sqlite !== undefined && sqlite.path !== ':memory:') {
    const { rows } = await sql<{
      max_seq: number;
    }>`select max(seq) as max_seq from billing_transaction`.execute(connection);
    if (Number(rows[0]?.max_seq ?? 0) >= backgroundThreshold)
      return executeInBackground(sqlite.path, statement);
  }
  await sql`${sql.raw(statement)}`.execute(connection);
}

/** Includes the indexes of earlier processes. */
function cachedIndexes(database: Database): Promise<Indexes> {
  let indexes = indexesByDatabase.get(database);
  if (indexes === undefined) {
    indexesByDatabase.set(database, (indexes = readIndexes(database)));
    indexes.catch(() => indexesByDatabase.delete(database)); // the next request reads them again
  }
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
    building: new Map(),
  };
}
