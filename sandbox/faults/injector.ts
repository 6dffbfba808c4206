import { createHash } from 'node:crypto';
import { type Fault, type FaultKind, type FaultPlan, noFaults } from './fault.js';
import { type FaultRequest, matchesFault } from './request-match.js';

/** The plan and how often each of its faults was injected. */
export interface FaultsStatus extends FaultPlan {
  /** How many requests met each fault, in the order of the faults. */
  readonly met: readonly number[];
}

/**
 * Decides which requests meet a fault. The draws of each fault are a sequence of its own, made of
 * the plan's seed: the same requests in the same order meet the same faults.
 */
export class FaultInjector {
  #plan: FaultPlan = noFaults;
  /** How many times chance decided about each fault. */
  #draws: number[] = [];
  /** How many requests met each fault. */
  #metCounts: number[] = [];
  /** When an object was created (by its id) or an operation first requested (by its path). */
  readonly #firstSeen = new Map<string, number>();

  /** @param now the machine's time, in milliseconds: a fault lasts as long as its reader waits. */
  constructor(
    plan: FaultPlan = noFaults,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.set(plan);
  }

  /** Injects these faults from now on, in place of earlier ones. */
  set(plan: FaultPlan): void {
    this.#plan = plan;
    this.#draws = plan.faults.map(() => 0);
    this.#metCounts = plan.faults.map(() => 0);
    this.#firstSeen.clear();
  }

  get hasFaults(): boolean {
    return this.#plan.faults.length > 0;
  }

  status(): FaultsStatus {
    return { ...this.#plan, met: [...this.#metCounts] };
  }

  /** Whether the plan has a fault of this kind. */
  hasFaultOfKind(kind: FaultKind): boolean {
    return this.#plan.faults.some(({ fault }) => fault === kind);
  }

  /**
   * The first fault of these kinds that a request meets.
   *
   * @param applies a further condition for a fault
   */
  drawFault(
    kinds: readonly FaultKind[],
    request: FaultRequest,
    applies: (fault: Fault) => boolean = () => true,
  ): Fault | undefined {
    return this.#plan.faults.find((fault, index) => {
      if (!kinds.includes(fault.fault) || !matchesFault(fault, request) || !applies(fault))
        return false;
      if ((this.#metCounts[index] ?? 0) >= (fault.times ?? Infinity)) return false;
      const { seed = 1 } = this.#plan;
      const draw = (this.#draws[index] ?? 0) + 1;
      this.#draws[index] = draw;
      const fraction = hashFraction(`${String(seed)}:${String(index)}:${String(draw)}`);
      if (fraction >= (fault.share ?? 1)) return false;
      this.#metCounts[index] = (this.#metCounts[index] ?? 0) + 1;
      return true;
    });
  }

  /** Remembers when the object of an id or the operation of a path was first seen. */
  rememberFirstSeen(idOrPath: string): void {
    if (!this.#firstSeen.has(idOrPath)) this.#firstSeen.set(idOrPath, this.now());
  }

  /** Whether an object or operation was first seen in the last seconds. */
  isRecent(idOrPath: string, seconds: number): boolean {
    const since = this.#firstSeen.get(idOrPath);
    return since !== undefined && this.now() - since < seconds * 1000;
  }

  /** The ids and paths of what was first seen in the last seconds. */
  recentIds(seconds: number): readonly string[] {
    return [...this.#firstSeen.keys()].filter((idOrPath) => this.isRecent(idOrPath, seconds));
  }
}

/** A number from 0 up to 1 that depends on a text alone. */
function hashFraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
