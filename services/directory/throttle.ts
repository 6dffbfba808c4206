import type { Database } from '../common/database.js';
import { bucketFor } from '../common/shared-bucket.js';
import type { Bucket } from '../common/throttle.js';
import { sql } from 'kysely';
import type { Caller } from '../common/caller.js';
import type { Directory } from './kernel/directory.js';

/**
 * The resource units and writes that an application may use in a tenant. Units depend on the number
 * of the tenant's users.
 */
const throttlingLimits = {
  unitSeconds: 10,
  units: [
    { usersBelow: 50, units: 3_500 },
    { usersBelow: 501, units: 5_000 },
    { usersBelow: Number.POSITIVE_INFINITY, units: 8_000 },
  ],
  writes: { seconds: 150, count: 3_000 },
} as const;

/** The properties of a request that decide its cost. */
export interface RequestCost {
  readonly method: string;
  /** The resource units of the operation. @default 1 */
  readonly cost?: number;
  readonly query: URLSearchParams;
}

interface Buckets {
  readonly units: Bucket;
  readonly writes: Bucket;
}

const tenantSizeIntervalMs = 60_000;

/**
 * Token buckets per application and tenant: resource units in 10 s by the tenant's size, and writes
 * in 2.5 minutes.
 */
export class Throttle {
  readonly #buckets = new Map<string, Buckets>();
  #capacity: number = throttlingLimits.units[0].units;
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly directory: Directory,
    private readonly database: Database,
  ) {}

  /** @returns the seconds to wait; undefined if the request may pass. */
  async charge(caller: Caller, request: RequestCost): Promise<number | undefined> {
    const now = this.directory.clock.now().getTime();
    if (now - this.#measuredAt >= tenantSizeIntervalMs) await this.#measureTenant(now);
    const { units, writes } = this.#bucketsFor(caller, now);
    const waitSeconds =
      (await units.take(resourceUnitsOf(request), now)) ||
      (request.method === 'GET' ? 0 : await writes.take(1, now));
    return waitSeconds > 0 ? waitSeconds : undefined;
  }

  #bucketsFor(caller: Caller, now: number): Buckets {
    const key = `${caller.tenantId}/${caller.applicationId ?? caller.objectId}`;
    let buckets = this.#buckets.get(key);
    if (!buckets) {
      const { writes, unitSeconds } = throttlingLimits;
      const capacity = this.#capacity;
      buckets = {
        units: bucketFor(this.database, `directory/units/${capacity}/${key}`, {
          capacity,
          perSecond: capacity / unitSeconds,
          now,
        }),
        writes: bucketFor(this.database, `directory/writes/${key}`, {
          capacity: writes.count,
          perSecond: writes.count / writes.seconds,
          now,
        }),
      };
      this.#buckets.set(key, buckets);
    }
    return buckets;
  }

  /**
   * Reads the size of the tenant (a directory has one) once a minute; another size creates new
   * buckets.
   */
  async #measureTenant(now: number): Promise<void> {
    this.#measuredAt = now;
    // No limit depends on more users than these.
    const firstUsers = sql`select 1 from directory_object where type = 'user' limit 501`;
    const users = await this.directory.sql.count(
      sql`select count(*) as count from (${firstUsers}) as counted`,
    );
    const capacity =
      throttlingLimits.units.find((limit) => users < limit.usersBelow)?.units ?? this.#capacity;
    if (capacity === this.#capacity) return;
    this.#capacity = capacity;
    this.#buckets.clear();
  }
}

/**
 * Resource units: those of the operation, one less with `$select` and with `$top` under 20, one
 * more with `$expand`, at least one.
 */
export function resourceUnitsOf({ cost = 1, query }: RequestCost): number {
  const value = (name: string): string | null => query.get(`$${name}`) ?? query.get(name);
  const top = value('top');
  const discount = (value('select') === null ? 0 : 1) + (top !== null && Number(top) < 20 ? 1 : 0);
  return Math.max(1, cost - discount + (value('expand') === null ? 0 : 1));
}
