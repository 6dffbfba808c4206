import type { Finding } from '../../core/findings/finding.js';
import { fingerprintOf } from '../../core/findings/fingerprint.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { groupRuleOverlaps } from '../../policies/rules/declaration/group-rule-overlaps.js';
import { accessTest } from '../../policies/rules/policy-rules.js';
import type { CliIo } from '../command.js';
import { type AccessTestResult, runAccessTests } from './access-test-run.js';

/** Reports a finding for each expectation that fails, with the steps of the decision. */
export async function accessTestFindings(
  stacksByTestFile: ReadonlyMap<string, readonly LoadedStack[]>,
  io: CliIo,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [file, stacks] of stacksByTestFile)
    for (const result of await runAccessTests(file, stacks, io))
      findings.push(...findingsOfResult(result));
  return findings;
}

/** The finding about an expectation that fails. */
export function findingsOfResult({
  name,
  message,
  chain,
  location,
  expectsDisjointGroups,
  verdict,
  example,
}: AccessTestResult): readonly Finding[] {
  if (message === undefined) return [];
  const reason =
    chain === undefined
      ? message
      : `${message}; ${chain
          .trim()
          .replace(/\s*\n\s*/g, '; ')
          .replace(/ {2,}/g, ' ')}`;
  const rule = expectsDisjointGroups && verdict === 'fail' ? groupRuleOverlaps : accessTest;
  return [
    {
      ruleId: rule.id,
      messageId: rule === accessTest ? 'fails' : 'tested',
      parameters: { reason: message, ...omitUndefined({ example }) },
      verdict: 'fail',
      severity: rule.severity,
      message: reason,
      location,
      fingerprint: fingerprintOf(rule.id, [location.file, name]),
    },
  ];
}
