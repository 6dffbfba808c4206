/** The usual limit of work: about a second for each question. */
export const defaultEffort = 400_000;

/** Thrown when a question takes more work than allowed. */
export class EffortExceededError extends Error {
  override readonly name = 'EffortExceededError';
}

/** Counts work up to a limit. */
export class Effort {
  #spent = 0;

  /** @param whole what this is a part of */
  constructor(
    readonly limit: number = defaultEffort,
    private readonly whole?: Effort,
  ) {}

  /** The work done so far, in steps. */
  get spent(): number {
    return this.#spent;
  }

  /** @throws EffortExceededError */
  spend(steps: number): void {
    this.whole?.spend(steps);
    this.#spent += steps;
    if (this.#spent > this.limit) throw new EffortExceededError('the question takes too much work');
  }

  /** Allows the whole limit again, for another question. */
  renew(): void {
    this.#spent = 0;
  }
}
