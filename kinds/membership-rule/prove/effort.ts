/** The usual limit of work: about a second for each question. */
export const usualEffort = 400_000;

/** So many patterns are the limit of a question: their automata take several milliseconds each. */
const mostPatterns = 40;

/** Thrown when a question takes more work than allowed. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Counts work up to a limit. */
export class Effort {
  #spent = 0;

  constructor(readonly limit: number = usualEffort) {}

  /** @throws TooMuchWork */
  spend(steps: number): void {
    this.#spent += steps;
    if (this.#spent > this.limit) throw new TooMuchWork('the question takes too much work');
  }

  /** Counts the making of a pattern's automaton. @throws TooMuchWork */
  spendOnPattern(): void {
    this.spend(this.limit / mostPatterns);
  }

  /** Allows the whole limit again, for another question. */
  renew(): void {
    this.#spent = 0;
  }
}
