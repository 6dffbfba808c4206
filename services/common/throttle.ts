import type { Call } from './call.js';
import { type Clock, systemClock } from './clock.js';

/** How much one caller may do on one operation. */
export interface ThrottleLimits {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Requests a second beyond that. */
  readonly perSecond: number;
  /** The wait that a refused caller is asked for, in seconds. */
  readonly retryAfterSeconds: number;
}

/** Token buckets in memory, one for each caller and operation: one caller's storm touches no one else. */
export interface Throttle {
  /** @returns undefined when the request may pass, else the seconds to wait. */
  take(caller: string, operation: string): number | undefined;
}

/** Far above what people, dashboards and Terraform need, low enough that a runaway loop meets it. */
const usualLimits: ThrottleLimits = { burst: 1500, perSecond: 100, retryAfterSeconds: 5 };

/** Throttles each caller on each operation by itself, for the chassis. */
export function throttleEachOperation(
  throttle: Throttle = createThrottle(usualLimits, systemClock),
): (call: Call, operation: { method: string; path: string }) => number | undefined {
  return ({ caller }, { method, path }) =>
    throttle.take(`${caller.tenantId}/${caller.objectId}/${caller.applicationId ?? ''}`, `${method} ${path}`);
}

/** So many buckets are kept before full ones are thrown out; then as many again as were left, so that sweeping stays cheap. */
const sweepAt = 10_000;

/** A bucket that fills evenly, up to its capacity. Times are in milliseconds. */
export class TokenBucket {
  #level: number;

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
    private filledAt: number,
  ) {
    this.#level = capacity;
  }

  /** Lets it fill up to now, and says whether it is full. */
  isFull(now: number): boolean {
    this.#level = Math.min(this.capacity, this.#level + (Math.max(0, now - this.filledAt) / 1000) * this.perSecond);
    this.filledAt = now;
    return this.#level >= this.capacity;
  }

  /** Takes units out; returns 0, or the whole seconds after which it is worth trying again. */
  take(units: number, now: number): number {
    this.isFull(now);
    if (this.#level < units) return Math.max(1, Math.ceil((units - this.#level) / this.perSecond));
    this.#level -= units;
    return 0;
  }
}

/** Makes a throttle; time is the machine's, whatever `--now` says, for it guards the machine. */
export function createThrottle({ burst, perSecond, retryAfterSeconds }: ThrottleLimits, clock: Clock): Throttle {
  const buckets = new Map<string, TokenBucket>();
  let nextSweep = sweepAt;
  return {
    take(caller, operation) {
      const now = clock.now().getTime();
      if (buckets.size >= nextSweep) {
        for (const [key, bucket] of buckets) if (bucket.isFull(now)) buckets.delete(key);
        nextSweep = Math.max(sweepAt, buckets.size * 2);
      }
      const key = JSON.stringify([caller, operation]);
      let bucket = buckets.get(key);
      if (!bucket) buckets.set(key, (bucket = new TokenBucket(burst, perSecond, now)));
      return bucket.take(1, now) === 0 ? undefined : retryAfterSeconds;
    },
  };
}
