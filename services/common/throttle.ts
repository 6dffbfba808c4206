import type { Call } from './call.js';
import { type Clock, systemClock } from './clock.js';

/** The limit of one caller for one operation. */
export interface ThrottleLimits {
  /** The burst of requests. */
  readonly burst: number;
  /** The sustained requests per second. */
  readonly perSecond: number;
  /** The `Retry-After` of a refused caller, in seconds. */
  readonly retryAfterSeconds: number;
}

/**
 * Token buckets, one for each caller and operation, so that one caller's burst does not affect
 * others.
 */
export interface Throttle {
  /** @returns undefined if the request may pass, otherwise the seconds to wait. */
  take(caller: string, operation: string): number | undefined | Promise<number | undefined>;
}

/** A bucket of units, in memory or in the database. */
export interface Bucket {
  /**
   * Takes units.
   *
   * @param now in milliseconds
   * @returns 0, or the whole seconds to wait
   */
  take(units: number, now: number): number | Promise<number>;
}

/**
 * Far above the needs of people, dashboards and Terraform, and low enough to stop a runaway loop.
 */
export const defaultLimits: ThrottleLimits = { burst: 1500, perSecond: 100, retryAfterSeconds: 5 };

/** Throttles each caller on each operation, for the chassis. */
export function throttleEachOperation(
  throttle: Throttle = createThrottle(defaultLimits, systemClock),
): (call: Call, operation: { method: string; path: string }) => ReturnType<Throttle['take']> {
  return ({ caller }, { method, path }) =>
    throttle.take(
      `${caller.tenantId}/${caller.objectId}/${caller.applicationId ?? ''}`,
      `${method} ${path}`,
    );
}

/**
 * Full buckets are removed when there are this many, and again when there are twice as many as
 * remained, so that sweeping stays cheap.
 */
const sweepAt = 10_000;

/** A bucket that fills evenly up to its capacity. Times are in milliseconds. */
export class TokenBucket implements Bucket {
  #level: number;

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
    private filledAt: number,
  ) {
    this.#level = capacity;
  }

  /** Fills it up to now; returns whether it is full. */
  refill(now: number): boolean {
    this.#level = Math.min(
      this.capacity,
      this.#level + (Math.max(0, now - this.filledAt) / 1000) * this.perSecond,
    );
    this.filledAt = now;
    return this.#level >= this.capacity;
  }

  /** Takes units; returns 0, or the whole seconds to wait. */
  take(units: number, now: number): number {
    this.refill(now);
    if (this.#level < units) return Math.max(1, Math.ceil((units - this.#level) / this.perSecond));
    this.#level -= units;
    return 0;
  }
}

/**
 * Creates a throttle in memory.
 *
 * @param clock in services the system clock, whatever `--now` says, because a throttle protects the
 *   machine.
 */
export function createThrottle(
  { burst, perSecond, retryAfterSeconds }: ThrottleLimits,
  clock: Clock,
): Throttle & { take(caller: string, operation: string): number | undefined } {
  const buckets = new Map<string, TokenBucket>();
  let nextSweep = sweepAt;
  return {
    take(caller, operation) {
      const now = clock.now().getTime();
      if (buckets.size >= nextSweep) {
        for (const [key, bucket] of buckets) if (bucket.refill(now)) buckets.delete(key);
        nextSweep = Math.max(sweepAt, buckets.size * 2);
      }
      const key = JSON.stringify([caller, operation]);
      let bucket = buckets.get(key);
      if (!bucket) buckets.set(key, (bucket = new TokenBucket(burst, perSecond, now)));
      return bucket.take(1, now) === 0 ? undefined : retryAfterSeconds;
    },
  };
}
