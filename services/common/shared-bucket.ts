import { sql } from 'kysely';
import { type Database, migrate, migrationOf } from './database.js';
import { systemClock } from './clock.js';
import {
  type Bucket,
  createThrottle,
  type Throttle,
  TokenBucket,
  defaultLimits,
} from './throttle.js';

/**
 * A bucket for all processes of a database: a row on PostgreSQL; memory on
 * SQLite, which one process has.
 */
export function bucketFor(
  database: Database,
  key: string,
  { capacity, perSecond, now }: { capacity: number; perSecond: number; now: number },
): Bucket {
  return database.engine === 'sqlite'
    ? new TokenBucket(capacity, perSecond, now)
    : new SharedBucket(database, key, capacity, perSecond);
}

/** Units are taken from the row in portions of this part of the capacity, to query the database less. */
const portionsPerCapacity = 50;
/**
 * Rows that nobody used for this long are full again, and deleted; so are those from as far in the
 * future, of a process whose clock was ahead: they would not fill until then.
 */
const deletedAfterSeconds = 3_600;

class SharedBucket implements Bucket {
  /** Units that this process took from the row and has not used. */
  #reserved = 0;
  #lastTake: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly key: string,
    private readonly capacity: number,
    private readonly perSecond: number,
  ) {}

  take(units: number, now: number): number | Promise<number> {
    if (this.#reserved >= units) {
      this.#reserved -= units;
      return 0;
    }
    const taking = this.#lastTake.then(() => this.#take(units, now / 1000));
    this.#lastTake = taking.catch(() => undefined); // its own caller gets the error
    return taking;
  }

  async #take(units: number, seconds: number): Promise<number> {
    if (this.#reserved < units) {
      await ensureTable(this.database);
      const portion = Math.max(units, Math.floor(this.capacity / portionsPerCapacity));
      const missing = units - this.#reserved;
      for (const amount of new Set([portion, missing]))
        if (await this.#takeFromRow(amount, seconds)) {
          this.#reserved += amount;
          break;
        }
    }
    if (this.#reserved < units) return this.#secondsUntil(units - this.#reserved, seconds);
    this.#reserved -= units;
    return 0;
  }

  async #takeFromRow(units: number, seconds: number): Promise<boolean> {
    const { capacity, perSecond, key } = this;
    const level = sql`least(${capacity}::float8, bucket.level + greatest(0, ${seconds}::float8 - bucket.filled_at) * ${perSecond}::float8)`;
    const { rows } = await sql`
      insert into throttle_bucket as bucket (key, level, filled_at)
      values (${key}, ${capacity - units}::float8, ${seconds}::float8)
      on conflict (key) do update set level = ${level} - ${units}::float8, filled_at = greatest(bucket.filled_at, ${seconds}::float8)
      where ${level} >= ${units}::float8 returning level`.execute(this.database.connection);
    return rows.length === 1;
  }

  async #secondsUntil(units: number, seconds: number): Promise<number> {
    const { rows } = await sql<{ level: number }>`
      select level + (${seconds}::float8 - filled_at) * ${this.perSecond}::float8 as level
      from throttle_bucket where key = ${this.key}`.execute(this.database.connection);
    return Math.max(1, Math.ceil((units - (rows[0]?.level ?? 0)) / this.perSecond));
  }
}

const tableCreations = new WeakMap<Database, Promise<void>>();

/** Creates the table on first use, and deletes rows that nobody needs. */
function ensureTable(database: Database): Promise<void> {
  const existing = tableCreations.get(database);
  if (existing !== undefined) return existing;
  const creation = (async () => {
    await migrate(database, 'throttle', {
      '001-buckets': migrationOf(
        'create unlogged table throttle_bucket (key text primary key, level double precision not null, filled_at double precision not null)',
      ),
    });
    await sql`delete from throttle_bucket
      where abs(filled_at - ${Date.now() / 1000}::float8) > ${deletedAfterSeconds}::float8`.execute(
      database.connection,
    );
  })();
  tableCreations.set(database, creation);
  creation.catch(() => tableCreations.delete(database)); // the next request tries again
  return creation;
}

/** The services' usual throttle, which counts for all processes of the database. */
export function sharedThrottle(database: Database, service: string): Throttle {
  if (database.engine === 'sqlite') return createThrottle(defaultLimits, systemClock);
  const { burst, perSecond, retryAfterSeconds } = defaultLimits;
  const buckets = new Map<string, Bucket>();
  return {
    async take(caller, operation) {
      const key = JSON.stringify([service, caller, operation]);
      // a process that forgets a bucket only loses the portion that it had taken
      if (buckets.size >= maxBuckets) buckets.clear();
      const bucket = buckets.get(key) ?? new SharedBucket(database, key, burst, perSecond);
      buckets.set(key, bucket);
      return (await bucket.take(1, systemClock.now().getTime())) === 0
        ? undefined
        : retryAfterSeconds;
    },
  };
}

const maxBuckets = 10_000;
