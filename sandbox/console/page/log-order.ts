import type { LogLine } from '../trace-and-log-routes.js';

/** Lines with the latest first; what was written at one time stays in its order. */
export function latestFirst(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => b.at.localeCompare(a.at));
}
