import { resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { replaceText } from '../../core/source/replace-file.js';
import { codeFrame } from '../../core/text/code-frame.js';
import { lineDiff } from '../../core/text/differences.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { CheckReport } from '../../policies/check/check-report.js';
import { applyFileEdits, editFor } from '../../policies/check/fix-findings.js';
import { runCheck } from '../../policies/check/run-check.js';
import { mayWidenAccess } from '../../policies/check/widening-fixes.js';
import { allSecretLocations } from '../../policies/reporters/report.js';
import { sourceLinkTo } from '../explanation/source-links.js';
import type { SandboxPaths } from '../paths.js';
import type { EnvironmentVariables } from '../../core/process/environment-variables.js';
import { appliedStackFiles } from './applied-stack-files.js';

/** A finding on a page. */
export interface FindingView {
  readonly fingerprint: string;
  /** The rule's id: `group-two-owners`. */
  readonly rule: string;
  /** The address of the rule's page. */
  readonly page?: string;
  /** Why the rule requires what it does. */
  readonly why?: string;
  readonly severity: string;
  readonly verdict: string;
  readonly message: string;
  /** File, line and column: `castellan.yaml:12:5`. */
  readonly place?: string;
  /** The lines around the place, marked, without secrets. */
  readonly frame?: string;
  /** The address that opens the line in the editor. */
  readonly editor?: string;
  /** The edit that fixes it. */
  readonly fix?: FixView;
}

interface FixView {
  readonly description: string;
  /** The lines that it changes; undefined if it can't be applied to the file. */
  readonly diff?: string;
  /** Whether it may let people in. */
  readonly mayWiden: boolean;
}

/** The findings of `castellan check` in the present files of the applied stacks. */
export async function readFindings(
  paths: SandboxPaths,
  env: EnvironmentVariables,
): Promise<readonly FindingView[]> {
  const report = await checkAppliedStacks(paths, env);
  if (report === undefined) return [];
  const secrets = allSecretLocations(report);
  return report.findings.map((finding): FindingView => {
    const { fingerprint, ruleId, severity, verdict, message, location } = finding;
    const source = location === undefined ? undefined : report.sources?.get(location.file);
    const rule = report.rules.get(ruleId);
    const frame = location && source && codeFrame(source, location, secrets);
    return {
      fingerprint,
      rule: ruleId,
      severity,
      verdict,
      message,
      ...omitUndefined({ page: rule?.helpUri, why: rule?.why }),
      ...(location !== undefined && {
        place: `${location.file}:${location.line}:${location.column}`,
        editor: sourceLinkTo(paths.projectDir, location).editor,
      }),
      ...(finding.fix !== undefined && { fix: fixView(finding, finding.fix, report) }),
      ...omitUndefined({ frame }),
    };
  });
}

/**
 * Applies the fix of a finding to its file, as `castellan fix` does.
 *
 * @returns whether it was applied; the finding may be gone, or the file may have changed.
 */
export async function applyFix(
  fingerprint: string,
  paths: SandboxPaths,
  env: EnvironmentVariables,
): Promise<boolean> {
  const report = await checkAppliedStacks(paths, env);
  const finding = report?.findings.find((each) => each.fingerprint === fingerprint);
  const edited = finding && report && editedText(finding, report);
  if (edited === undefined) return false;
  replaceText(resolve(paths.projectDir, edited.file), edited.after);
  return true;
}

/** The report of `castellan check` for the applied stacks; undefined if there are none. */
async function checkAppliedStacks(
  paths: SandboxPaths,
  env: EnvironmentVariables,
): Promise<CheckReport | undefined> {
  const files = [...new Set(appliedStackFiles(paths).map(({ file }) => file))];
  if (files.length === 0) return undefined;
  return runCheck({
    paths: files,
    environment: paths.environment,
    cwd: paths.projectDir,
    env,
  });
}

function fixView(finding: Finding, fix: NonNullable<Finding['fix']>, report: CheckReport): FixView {
  const edited = editedText(finding, report);
  return {
    description: fix.description,
    mayWiden: mayWidenAccess(fix),
    ...(edited !== undefined && { diff: lineDiff(edited.before, edited.after) }),
  };
}

/** The file of a finding before and after its fix; undefined if the fix does not apply. */
function editedText(
  finding: Finding,
  { stacks, sources }: CheckReport,
): { readonly file: string; readonly before: string; readonly after: string } | undefined {
  const edit = finding.verdict === 'fail' ? editFor(finding, stacks) : undefined;
  const before = edit && sources?.get(edit.file)?.text;
  return edit === undefined || before === undefined
    ? undefined
    : { file: edit.file, before, after: applyFileEdits(before, [edit]) };
}
