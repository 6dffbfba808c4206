import { instantOf } from '../evaluation/compare-value.js';
import type { RuleValue } from '../ast.js';
import { parseInstant } from '../../../core/values/instant.js';

const dayInMs = 86_400_000;
/** The first and the last instant that a date of the directory can be. */
const firstInstant = Date.parse('0001-01-01');
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Instants at, just before and just after the limit of a comparison, where its truth can change.
 *
 * @param now milliseconds since 1970, for `system.now`
 */
export function boundaryInstants(value: RuleValue, now: number): readonly string[] {
  const limit = limitOf(value, now);
  return [limit, limit - dayInMs, limit + dayInMs, limit - 1, limit + 1]
    .filter((each) => each >= firstInstant && each <= lastInstant)
    .map((each) => new Date(each).toISOString());
}

function limitOf(value: RuleValue, now: number): number {
  if (value.type === 'now') return instantOf(value, now);
  return value.type === 'string' ? parseInstant(value.value) : Number.NaN;
}
