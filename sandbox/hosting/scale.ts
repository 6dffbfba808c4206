/** When a revision has how many replicas. */
export interface ScaleRule {
  readonly min: number;
  readonly max: number;
  /** Concurrent requests per replica. */
  readonly concurrentRequests: number;
  /** How long fewer replicas must have been enough before some are stopped. */
  readonly cooldownMs: number;
  /** The interval of evaluation. */
  readonly pollingMs: number;
}

/** The `scale` of a template, as the API has it. */
interface DeclaredScale {
  readonly minReplicas?: number | null;
  readonly maxReplicas?: number | null;
  /** In seconds, as the polling interval is. */
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

/** A limit for one machine, where more replicas show nothing new. */
const maxLocalReplicas = { image: 10, other: 3 };
/** The platform's defaults, except for the polling interval, which is 30 seconds there. */
const defaults = {
  maxReplicas: 10,
  concurrentRequests: 10,
  cooldownSeconds: 300,
  pollingSeconds: 1,
};

/**
 * The scale rule of a template. Images scale by requests; a command or a page in their place has the
 * minimum number of replicas, and at least one.
 *
 * @param startsOnRequest whether a request can start the first replica.
 */
export function scaleRule(
  template: object,
  workloadKind: 'image' | 'other',
  startsOnRequest: boolean,
): ScaleRule {
  const scale = ((template as { scale?: DeclaredScale | null }).scale ?? {}) as DeclaredScale;
  const declaredMax = Math.min(
    scale.maxReplicas || defaults.maxReplicas,
    maxLocalReplicas[workloadKind],
  );
  const declaredMin = Math.min(scale.minReplicas ?? 0, declaredMax);
  const min = workloadKind === 'image' && startsOnRequest ? declaredMin : Math.max(declaredMin, 1);
  const concurrentRequests = scale.rules
    ?.map(({ http }) => Number(http?.metadata?.concurrentRequests))
    .find((each) => each > 0);
  return {
    min,
    max: workloadKind === 'image' ? Math.max(declaredMax, min) : min,
    concurrentRequests: concurrentRequests ?? defaults.concurrentRequests,
    cooldownMs: (scale.cooldownPeriod ?? defaults.cooldownSeconds) * 1_000,
    pollingMs: (scale.pollingInterval || defaults.pollingSeconds) * 1_000,
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
  /** The most replicas that were needed since fewer than the desired ones are. */
  #peak = 0;

  constructor(
    readonly rule: ScaleRule,
    private readonly now: () => number = Date.now,
  ) {
    this.#desired = Math.max(rule.min, 1);
    this.#desiredSince = now();
  }

  /** Counts a request until it has ended; returns a function that ends the count. */
  beginRequest(): () => void {
    this.#requests++;
    this.desiredReplicas();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      // the quiet period starts here
      this.desiredReplicas();
      this.#requests--;
    };
  }

  /** The number of replicas needed now. */
  desiredReplicas(): number {
    const { min, max, concurrentRequests, cooldownMs } = this.rule;
    const replicas = Math.min(Math.max(Math.ceil(this.#requests / concurrentRequests), min), max);
    const now = this.now();
    if (replicas >= this.#desired) {
      this.#desired = replicas;
      this.#desiredSince = now;
      this.#peak = min;
    } else {
      this.#peak = Math.max(this.#peak, replicas);
      if (now - this.#desiredSince >= cooldownMs) {
        this.#desired = this.#peak;
        this.#desiredSince = now;
        this.#peak = min;
      }
    }
    return this.#desired;
  }
}
