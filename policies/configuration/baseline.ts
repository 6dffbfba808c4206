import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../engine/finding-maker.js';
import { baselineStale } from '../rules/policy-rules.js';
import { canBeSuppressed } from './suppress.js';

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
    .filter(({ verdict, severity, ruleId }) => verdict === 'fail' && severity !== 'info' && canBeSuppressed(ruleId))
    .map(entryOf);
  return { version: 1, findings: entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
}

function entryOf({ fingerprint, ruleId, location, path, message }: Finding): BaselineEntry {
  return { fingerprint, ruleId, file: location?.file ?? '', path: (path ?? []).join('.'), message };
}

function keyOf({ file, path, ruleId, fingerprint }: BaselineEntry): string {
  return `${file} ${path} ${ruleId} ${fingerprint}`;
}

/** Whether two entries are of one finding. */
export function sameEntry(one: BaselineEntry, other: BaselineEntry): boolean {
  return one.fingerprint === other.fingerprint && one.file === other.file;
}

/** What a check looked at. */
export interface LookedAt {
  /** The files that were checked. */
  readonly checked: ReadonlySet<string>;
  /** Whether a rule had what it looks at. */
  readonly isJudged: (ruleId: string) => boolean;
  /** Whether a file is there at all. */
  readonly exists: (file: string) => boolean;
}

/**
 * Whether nothing can be said of an entry: its file, or what its rule looks at, was not looked at. An entry without a file is about a plan.
 */
export function notLookedAt({ file, ruleId }: BaselineEntry, { checked, isJudged, exists }: LookedAt): boolean {
  if (!isJudged(ruleId)) return true;
  return file === '' ? !isJudged('plan-') : !checked.has(file) && exists(file);
}

/**
 * Takes out what the baseline knows. An entry whose finding is gone is stale, and a finding itself: otherwise the same mistake could
 * come back unseen. Entries that nothing can be said of are left alone.
 */
export function applyBaseline(
  findings: readonly Finding[],
  { baseline, file, ...context }: LookedAt & { readonly baseline: Baseline; readonly file: string },
): { readonly findings: readonly Finding[]; readonly baselined: number } {
  const open = new Map(baseline.findings.map((entry) => [`${entry.fingerprint} ${entry.file}`, entry]));
  const used = new Set<string>();
  const remaining = findings.filter(({ fingerprint, location, verdict }) => {
    const key = `${fingerprint} ${location?.file ?? ''}`;
    if (verdict !== 'fail' || !open.has(key)) return true;
    used.add(key);
    return false;
  });
  const stale = [...open].filter(([key, entry]) => !used.has(key) && !notLookedAt(entry, context));
  const reports = stale.map(([, { ruleId, path, fingerprint }]) => {
    const parameters = { given: fingerprint, rule: ruleId, path };
    const location = { file, line: 1, column: 1 };
    return makeFinding(baselineStale, { messageId: 'stale', parameters }, { path: ['baseline', fingerprint], origin: {} }, () => location);
  });
  return { findings: [...remaining, ...reports], baselined: findings.length - remaining.length };
}
