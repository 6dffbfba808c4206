/** The scale settings of a revision. */
export interface ScaleRule {
  readonly min: number;
  readonly max: number;
  /** Concurrent requests per replica. */
  readonly concurrentRequests: number;
  /** How long fewer replicas must have been enough before some end, in milliseconds. */
  readonly cooldown: number;
  /** The interval of evaluation, in milliseconds. */
  readonly polling: number;
}

interface DeclaredScale {
  readonly minReplicas?: number | null;
  readonly maxReplicas?: number | null;
  readonly cooldownPeriod?: number | null;
  readonly pollingInterval?: number | null;
  readonly rules?:
    | readonly {
        readonly http?: {
          readonly metadata?: { readonly concurrentRequests?: string } | null;
        } | null;
      }[]
    | null;
}

/** More replicas than these show nothing new on one machine. */
const maxLocalReplicas = { image: 10, other: 3 };
/** The platform's defaults; it evaluates less often. */
const defaults = {
  maxReplicas: 10,
  concurrentRequests: 10,
  cooldownSeconds: 300,
  pollingSeconds: 1,
};

/**
 * The scale settings of a template. Images scale by requests; their replacements have the minimum
 * number of replicas, and at least one.
 *
 * @param startsOnRequest whether a request can start the first replica.
 */
export function scaleRule(
  template: object,
  runs: 'image' | 'other',
  startsOnRequest: boolean,
): ScaleRule {
  const scale = ((template as { scale?: DeclaredScale | null }).scale ?? {}) as DeclaredScale;
  const most = Math.min(scale.maxReplicas || defaults.maxReplicas, maxLocalReplicas[runs]);
  const least = Math.min(scale.minReplicas ?? 0, most);
  const min = runs === 'image' && startsOnRequest ? least : Math.max(least, 1);
  const declared = scale.rules
    ?.map(({ http }) => Number(http?.metadata?.concurrentRequests))
    .find((each) => each > 0);
  return {
    min,
    max: runs === 'image' ? Math.max(most, min) : min,
    concurrentRequests: declared ?? defaults.concurrentRequests,
    cooldown: (scale.cooldownPeriod ?? defaults.cooldownSeconds) * 1_000,
    polling: (scale.pollingInterval || defaults.pollingSeconds) * 1_000,
  };
}

/**
 * Decides the number of replicas of a revision: as many as its concurrent requests need, and fewer
 * only after a quiet period.
 */
export class Scaler {
  #requests = 0;
  #desired: number;
  #desiredSince: number;
  #peak = 0;

  constructor(
    readonly rule: ScaleRule,
    private readonly now: () => number = Date.now,
  ) {
    this.#desired = Math.max(rule.min, 1);
    this.#desiredSince = now();
  }

  /** Counts a request until it has ended; returns a function that ends the count. */
  begin(): () => void {
    this.#requests++;
    this.desiredReplicas();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      // the quiet period starts here
      this.desiredReplicas();
      this.#requests--;
    };
  }

  /** The number of replicas needed now. */
  desiredReplicas(): number {
    const { min, max, concurrentRequests, cooldown } = this.rule;
    const replicas = Math.min(Math.max(Math.ceil(this.#requests / concurrentRequests), min), max);
    const now = this.now();
    if (replicas >= this.#desired) {
      this.#desired = replicas;
      this.#desiredSince = now;
      this.#peak = min;
    } else {
      this.#peak = Math.max(this.#peak, replicas);
      if (now - this.#desiredSince >= cooldown) {
        this.#desired = this.#peak;
        this.#desiredSince = now;
        this.#peak = min;
      }
    }
    return this.#desired;
  }
}
