import type { Report } from './report.js';

/** The report for programs. `version` changes only when a name is removed. */
export function jsonReport({
  policyFile: policy = 'none',
  unjudged = 0,
  findings,
  summary,
}: Report): string {
  return `${JSON.stringify({ version: 1, policy, unjudged, findings, summary }, undefined, 2)}\n`;
}
