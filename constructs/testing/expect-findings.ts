import type { Finding } from '../../core/findings/finding.js';
import type { Construct } from '../internal/cdktf.js';
import { checkTree } from '../stack/check-tree.js';
import { formatFinding } from '../stack/format-finding.js';

/**
 * Asserts in a test of your own, with any test runner, that the checks of a stack find exactly what
 * is expected.
 *
 * @param expected the rules with expected findings, each as often as it occurs; advice (info) may
 *   be left out. @default no findings
 * @returns all findings, including unknowns and advice.
 * @throws Error that lists unexpected findings, with their lines, and missing ones.
 * @example
 * expectFindings(stack); // nothing is wrong
 * expectFindings(stack, ['group-description']);
 */
export function expectFindings(
  stack: Construct,
  expected: readonly string[] = [],
): readonly Finding[] {
  const findings = checkTree(stack);
  const missing = [...expected];
  const unexpected = findings.filter(({ ruleId, verdict, severity }) => {
    const index = verdict === 'fail' ? missing.indexOf(ruleId) : -1;
    if (index !== -1) missing.splice(index, 1);
    return index === -1 && verdict === 'fail' && severity !== 'info';
  });
  const lines = [
    ...unexpected.map((finding) => `not expected: ${formatFinding(finding)}`),
    ...missing.map((ruleId) => `expected, but not found: ${ruleId}`),
  ];
  if (lines.length > 0)
    throw new Error(`the checks of ${stack.node.path} differ:\n  ${lines.join('\n  ')}`);
  return findings;
}
