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
  #hits: number[] = [];
  /** When an object was made (by its id) or an operation first asked for (by its path). */
  readonly #firstSeen = new Map<string, number>();

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
    this.#hits = plan.faults.map(() => 0);
    this.#firstSeen.clear();
  }

  get hasFaults(): boolean {
    return this.#plan.faults.length > 0;
  }

  status(): FaultsStatus {
    return { ...this.#plan, met: [...this.#hits] };
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
      if ((this.#hits[at] ?? 0) >= (fault.times ?? Infinity)) return false;
      const { seed = 1 } = this.#plan;
      const drawn = (this.#drawn[at] = (this.#drawn[at] ?? 0) + 1);
      const share = shareOf(`${String(seed)}:${String(at)}:${String(drawn)}`);
      if (share >= (fault.share ?? 1)) return false;
      this.#hits[at] = (this.#hits[at] ?? 0) + 1;
      return true;
    });
  }

  /** Remembers when something was first seen. */
  remember(name: string): void {
    if (!this.#firstSeen.has(name)) this.#firstSeen.set(name, this.now());
  }

  /** Whether something was first seen in the last seconds. */
  isRecent(name: string, seconds: number): boolean {
    const since = this.#firstSeen.get(name);
    return since !== undefined && this.now() - since < seconds * 1000;
  }

  /** The names of what was first seen in the last seconds. */
  recentNames(seconds: number): readonly string[] {
    return [...this.#firstSeen.keys()].filter((name) => this.isRecent(name, seconds));
  }
}

/** A number from 0 to 1 that a text always gives. */
function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
