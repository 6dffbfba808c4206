import type { LogLine } from '../trace-and-log-routes.js';

/** Lines of logs, the latest first; lines of the same time keep their order. */
export function latestFirst(lines: readonly LogLine[]): readonly LogLine[] {
  return lines.toSorted((a, b) => b.at.localeCompare(a.at));
}
