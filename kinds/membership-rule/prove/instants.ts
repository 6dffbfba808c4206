import { compileComparison } from '../evaluation/compare-value.js';
import type { RuleValue } from '../ast.js';

const dayInMs = 86_400_000;

/**
 * Instants at, just before and just after the limit of a comparison, where its truth can change.
 *
 * @param now milliseconds since 1970, for `system.now`
 */
export function boundaryInstants(value: RuleValue, now: number): readonly string[] {
  const limit = value.type === 'string' ? Date.parse(value.value) : instantOf(value, now);
  const instants = [limit, limit - dayInMs, limit + dayInMs, limit - 1, limit + 1];
  return instants.map((each) => new Date(each).toISOString());
}

/** The instant of `system.now` with its offset, found by bisection with the evaluator itself. */
function instantOf(value: RuleValue, now: number): number {
  const isAtMost = compileComparison('le', value, 'date');
  let [low, high] = [Date.UTC(1, 0, 1), Date.UTC(9999, 0, 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isAtMost(new Date(middle).toISOString(), now)) low = middle;
    else high = middle - 1;
  }
  return low;
}
