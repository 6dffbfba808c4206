/** The usual limit of work: about a second for each question. */
export const defaultEffort = 400_000;

/** So many patterns are the limit of a question: their automata take several milliseconds each. */
const maxPatterns = 40;

/** Thrown when a question takes more work than allowed. */
export class EffortExceededError extends Error {
  override readonly name = 'EffortExceededError';
}

/** Counts work up to a limit. */
export class Effort {
  #spent = 0;

  constructor(readonly limit: number = defaultEffort) {}

  /** @throws EffortExceededError */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new EffortExceededError('the question takes too much work');
  }

  /** Counts the making of a pattern's automaton. @throws EffortExceededError */
  spendOnPattern(): void {
    this.spend(this.limit / maxPatterns);
  }

  /** Allows the whole limit again, for another question. */
  renew(): void {
    this.#spent = 0;
  }
}
