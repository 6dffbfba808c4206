import type { Finding } from '../../core/findings/finding.js';
import type { Construct } from '../internal/cdktf.js';
import { checkTree, messageWithPlace } from '../stack/declared-tree.js';

/**
 * Asserts in a test of your own, with any test runner, that the checks of a stack find exactly what is expected.
 *
 * @param expected the rules that find something wrong, each as often as it does; advice (info) need not be named. @default nothing is wrong
 * @returns everything that was found, open verdicts and advice included.
 * @throws Error that names what was found and not expected, with its line, and what was expected and not found.
 * @example
 * expectFindings(stack); // nothing is wrong
 * expectFindings(stack, ['group-description']);
 */
export function expectFindings(stack: Construct, expected: readonly string[] = []): readonly Finding[] {
  const findings = checkTree(stack);
  const missing = [...expected];
  const unexpected = findings.filter(({ ruleId, verdict, severity }) => {
    const at = verdict === 'fail' ? missing.indexOf(ruleId) : -1;
    if (at !== -1) missing.splice(at, 1);
    return at === -1 && verdict === 'fail' && severity !== 'info';
  });
  const lines = [
    ...unexpected.map((finding) => `not expected: ${messageWithPlace(finding)}`),
    ...missing.map((ruleId) => `expected, but not found: ${ruleId}`),
  ];
  if (lines.length > 0) throw new Error(`the checks of ${stack.node.path} differ:\n  ${lines.join('\n  ')}`);
  return findings;
}
