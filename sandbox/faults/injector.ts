import { createHash } from 'node:crypto';
import { type Fault, type FaultKind, type FaultPlan, noFaults } from './fault.js';
import { type FaultRequest, matchesFault } from './request-match.js';

/** The plan and how often each of its faults struck. */
export interface FaultsStatus extends FaultPlan {
  /** The requests that each fault met, in their order. */
  readonly met: readonly number[];
}

/**
 * Decides which requests meet a fault. The draws of each fault are a sequence of its own, made of
 * the plan's seed: the same requests in the same order meet the same faults.
 */
export class FaultInjector {
  #plan: FaultPlan = noFaults;
  #drawn: number[] = [];
  #met: number[] = [];
  /** When an object was made (by its id) or an operation first asked for (by its path). */
  readonly #since = new Map<string, number>();

  /** @param now the machine's time, in milliseconds: a fault lasts as long as its reader waits. */
  constructor(
    plan: FaultPlan = noFaults,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.set(plan);
  }

  /** Plays these faults from now on, in place of earlier ones. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#drawn = plan.faults.map(() => 0);
    this.#met = plan.faults.map(() => 0);
    this.#since.clear();
  }

  get isOn(): boolean {
    return this.#plan.faults.length > 0;
  }

  reading(): FaultsStatus {
    return { ...this.#plan, met: [...this.#met] };
  }

  /** Whether the plan has a fault of this kind. */
  has(kind: FaultKind): boolean {
    return this.#plan.faults.some(({ fault }) => fault === kind);
  }

  /** The first fault of these kinds that meets a request. */
  draw(
    kinds: readonly FaultKind[],
    request: FaultRequest,
    strikes: (fault: Fault) => boolean = () => true,
  ): Fault | undefined {
    return this.#plan.faults.find((fault, at) => {
      if (!kinds.includes(fault.fault) || !matchesFault(fault, request) || !strikes(fault))
        return false;
      if ((this.#met[at] ?? 0) >= (fault.times ?? Infinity)) return false;
      const { seed = 1 } = this.#plan;
      const drawn = (this.#drawn[at] = (this.#drawn[at] ?? 0) + 1);
      const share = shareOf(`${String(seed)}:${String(at)}:${String(drawn)}`);
      if (share >= (fault.share ?? 1)) return false;
      this.#met[at] = (this.#met[at] ?? 0) + 1;
      return true;
    });
  }

  /** Remembers when something was first seen. */
  remember(name: string): void {
    if (!this.#since.has(name)) this.#since.set(name, this.now());
  }

  /** Whether something was first seen in the last seconds. */
  isYoung(name: string, seconds: number): boolean {
    const since = this.#since.get(name);
    return since !== undefined && this.now() - since < seconds * 1000;
  }

  /** The names of what was first seen in the last seconds. */
  young(seconds: number): readonly string[] {
    return [...this.#since.keys()].filter((name) => this.isYoung(name, seconds));
  }
}

/** A number from 0 to 1 that a text always gives. */
function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
