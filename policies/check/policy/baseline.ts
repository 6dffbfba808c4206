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
  /**
   * The file of its location, in a baseline relative to its folder; empty for a finding without
   * one, which is about a plan.
   */
  readonly file: string;
  /** The stack whose finding it is. @default each stack of the file, and findings of no stack */
  readonly stack?: string;
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

function entryOf({ fingerprint, ruleId, location, stack, path, message }: Finding): BaselineEntry {
  return {
    fingerprint,
    ruleId,
    file: location?.file ?? '',
    ...(stack !== undefined && { stack }),
    path: (path ?? []).join('.'),
    message,
  };
}

function sortKey({ file, path, ruleId, fingerprint, stack = '' }: BaselineEntry): string {
  return `${file} ${path} ${ruleId} ${fingerprint} ${stack}`;
}

/** What identifies a finding in a baseline. */
interface AcceptedFinding {
  readonly fingerprint: string;
  readonly file: string;
  readonly stack?: string | undefined;
}

/** The entries of a baseline, to ask which of them accepts a finding. */
export class BaselineEntries {
  readonly #byKey: ReadonlyMap<string, BaselineEntry>;

  constructor(entries: readonly BaselineEntry[]) {
    this.#byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  }

  /** The entry for the finding's stack, otherwise one that accepts it in each stack. */
  find(finding: AcceptedFinding): BaselineEntry | undefined {
    return (
      this.#byKey.get(keyOf(finding)) ?? this.#byKey.get(keyOf({ ...finding, stack: undefined }))
    );
  }

  /** The entries, without repeated ones. */
  values(): readonly BaselineEntry[] {
    return [...this.#byKey.values()];
  }
}

function keyOf({ fingerprint, file, stack }: AcceptedFinding): string {
  return JSON.stringify([fingerprint, file, stack]);
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
  /** The path of a finding's file as entries have it. @default the file as the finding has it */
  readonly pathOf?: (file: string) => string;
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
): { readonly findings: readonly Finding[]; readonly baselinedFindings: readonly Finding[] } {
  const entries = new BaselineEntries(baseline.findings);
  const used = new Set<BaselineEntry>();
  const accepts = ({ ruleId, fingerprint, location, stack, verdict }: Finding): boolean => {
    if (verdict !== 'fail' || !canBeSuppressed(ruleId)) return false;
    if (context.locked?.has(ruleId) === true) return false;
    const path = location === undefined ? '' : (context.pathOf?.(location.file) ?? location.file);
    const entry = entries.find({ fingerprint, file: path, stack });
    if (entry === undefined) return false;
    used.add(entry);
    return true;
  };
  const remaining: Finding[] = [];
  const baselinedFindings: Finding[] = [];
  for (const finding of findings) (accepts(finding) ? baselinedFindings : remaining).push(finding);
  const stale = entries
    .values()
    .filter((entry) => !used.has(entry) && !wasNotChecked(entry, context));
  const reports = stale.map(({ ruleId, path, fingerprint }) => {
    const parameters = { given: fingerprint, rule: ruleId, path };
    const location = { file, line: 1, column: 1 };
    return makeFinding(
      baselineStale,
      { messageId: 'stale', parameters },
      { path: ['baseline', fingerprint], origin: {} },
      () => location,
    );
  });
  return { findings: [...remaining, ...reports], baselinedFindings };
}
