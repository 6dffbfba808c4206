/** The default limit of work in steps: about a second for each question. */
export const defaultEffort = 400_000;

/** Thrown when a question takes more work than allowed. */
export class EffortExceededError extends Error {
  override readonly name = 'EffortExceededError';
}

/** Counts work up to a limit. */
export class Effort {
  #spent = 0;

  /** @param parent the effort that this is a part of, and which its steps also count for */
  constructor(
    readonly limit: number = defaultEffort,
    private readonly parent?: Effort,
  ) {}

  /** The work done so far, in steps. */
  get spent(): number {
    return this.#spent;
  }

  /** Counts steps of work. @throws EffortExceededError when the limit is exceeded. */
  spend(steps: number): void {
    this.parent?.spend(steps);
    this.#spent += steps;
    if (this.#spent > this.limit) throw new EffortExceededError('the question takes too much work');
  }

  /** Starts counting again, for another question. */
  reset(): void {
    this.#spent = 0;
  }
}
