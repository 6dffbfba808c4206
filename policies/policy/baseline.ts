import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../engine/finding-maker.js';
import { baselineStale } from '../rules/baseline-stale.js';

/** The name that a baseline has in a folder. */
export const baselineName = 'castellan.baseline.json';

/** A finding that was there before. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly ruleId: string;
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

/** The findings that were there when the check was introduced. */
export interface Baseline {
  readonly version: 1;
  readonly findings: readonly BaselineEntry[];
}

/** The baseline of findings: those that would fail the check, in a steady order. */
export function baselineOf(findings: readonly Finding[]): Baseline {
  const entries = findings
    .filter(({ verdict, severity, ruleId }) => verdict === 'fail' && severity !== 'info' && !/^(config-|baseline-)/.test(ruleId))
    .map(entryOf);
  return { version: 1, findings: entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

function entryOf({ fingerprint, ruleId, location, path, message }: Finding): BaselineEntry {
  return { fingerprint, ruleId, file: location?.file ?? '', path: (path ?? []).join('.'), message };
}

function keyOf({ file, path, ruleId, fingerprint }: BaselineEntry): string {
  return `${file} ${path} ${ruleId} ${fingerprint}`;
}

/**
 * Takes out what the baseline knows. An entry whose finding is gone is stale, and a finding itself: otherwise the same mistake could
 * come back unseen.
 *
 * @param checked the files that were checked: entries of other files are left alone.
 * @param isJudged whether a rule had what it looks at: entries of the others are left alone, too.
 */
export function applyBaseline(
  findings: readonly Finding[],
  {
    baseline,
    file,
    checked,
    isJudged,
  }: {
    readonly baseline: Baseline;
    readonly file: string;
    readonly checked: ReadonlySet<string>;
    readonly isJudged: (ruleId: string) => boolean;
  },
): { readonly findings: readonly Finding[]; readonly baselined: number } {
  const open = new Map(baseline.findings.map((entry) => [`${entry.fingerprint} ${entry.file}`, entry]));
  const used = new Set<string>();
  const left = findings.filter(({ fingerprint, location }) => {
    const key = `${fingerprint} ${location?.file ?? ''}`;
    if (!open.has(key)) return true;
    used.add(key);
    return false;
  });
  const stale = [...open].filter(([key, entry]) => !used.has(key) && checked.has(entry.file) && isJudged(entry.ruleId));
  const reports = stale.map(([, { ruleId, path, fingerprint }]) => {
    const parameters = { given: fingerprint, rule: ruleId, path };
    const location = { file, line: 1, column: 1 };
    return makeFinding(baselineStale, { messageId: 'stale', parameters }, { path: ['baseline', fingerprint], origin: {} }, () => location);
  });
  return { findings: [...left, ...reports], baselined: findings.length - left.length };
}
