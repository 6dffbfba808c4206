import type { Finding } from '../../../core/findings/finding.js';
import { makeFinding } from '../../engine/finding-maker.js';
import { baselineStale } from '../../rules/policy-rules.js';
import { canBeSuppressed } from './suppressions.js';

/** The default name of a baseline. */
export const baselineName = 'castellan.baseline.json';

/** An accepted earlier finding. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly ruleId: string;
  /** The file of its location; empty for a finding without one, which is about a plan. */
  readonly file: string;
  /** The configuration path, joined by dots. */
  readonly path: string;
  readonly message: string;
}

/** The findings that existed when the check was introduced. */
export interface Baseline {
  readonly version: 1;
  readonly findings: readonly BaselineEntry[];
}

/** Creates a baseline from the findings that would fail the check, in a stable order. */
export function baselineOf(findings: readonly Finding[]): Baseline {
  const entries = findings
    .filter(
      ({ verdict, severity, ruleId }) =>
        verdict === 'fail' && severity !== 'info' && canBeSuppressed(ruleId),
    )
    .map(entryOf);
  return { version: 1, findings: entries.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)) };
}

function entryOf({ fingerprint, ruleId, location, path, message }: Finding): BaselineEntry {
  return { fingerprint, ruleId, file: location?.file ?? '', path: (path ?? []).join('.'), message };
}

function sortKey({ file, path, ruleId, fingerprint }: BaselineEntry): string {
  return `${file} ${path} ${ruleId} ${fingerprint}`;
}

/** Whether two entries are about the same finding. */
export function isSameEntry(one: BaselineEntry, other: BaselineEntry): boolean {
  return one.fingerprint === other.fingerprint && one.file === other.file;
}

/** The inputs of a check. */
export interface CheckedInputs {
  /** The checked files. */
  readonly checkedFiles: ReadonlySet<string>;
  /** Whether a rule had its input. */
  readonly ruleHadInput: (ruleId: string) => boolean;
  /** Whether a file exists. */
  readonly exists: (file: string) => boolean;
  /** The rules of which a baseline accepts nothing. @default none */
  readonly locked?: ReadonlySet<string>;
}

/**
 * Whether an entry cannot be judged because its file, or the input of its rule, was not checked. An
 * entry without a file is about a plan.
 */
export function wasNotChecked(
  { file, ruleId }: BaselineEntry,
  { checkedFiles, ruleHadInput, exists }: CheckedInputs,
): boolean {
  if (!ruleHadInput(ruleId)) return true;
  // no rule has this id, but all rules about plans have this prefix
  return file === '' ? !ruleHadInput('plan-') : !checkedFiles.has(file) && exists(file);
}

/**
 * Removes the findings in the baseline. An entry whose finding is gone is stale, which is reported
 * as a finding: otherwise the same mistake could come back unseen. Entries that cannot be judged
 * are kept.
 */
export function applyBaseline(
  findings: readonly Finding[],
  {
    baseline,
    file,
    ...context
  }: CheckedInputs & { readonly baseline: Baseline; readonly file: string },
): { readonly findings: readonly Finding[]; readonly baselined: number } {
  const entriesByKey = new Map(
    baseline.findings.map((entry) => [`${entry.fingerprint} ${entry.file}`, entry]),
  );
  const used = new Set<string>();
  const remaining = findings.filter(({ ruleId, fingerprint, location, verdict }) => {
    const key = `${fingerprint} ${location?.file ?? ''}`;
    if (verdict !== 'fail' || !entriesByKey.has(key) || !canBeSuppressed(ruleId)) return true;
    if (context.locked?.has(ruleId) === true) return true;
    used.add(key);
    return false;
  });
  const stale = [...entriesByKey].filter(
    ([key, entry]) => !used.has(key) && !wasNotChecked(entry, context),
  );
  const reports = stale.map(([, { ruleId, path, fingerprint }]) => {
    const parameters = { given: fingerprint, rule: ruleId, path };
    const location = { file, line: 1, column: 1 };
    return makeFinding(
      baselineStale,
      { messageId: 'stale', parameters },
      { path: ['baseline', fingerprint], origin: {} },
      () => location,
    );
  });
  return { findings: [...remaining, ...reports], baselined: findings.length - remaining.length };
}
