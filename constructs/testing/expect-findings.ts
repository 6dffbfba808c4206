import type { Finding } from '../../core/findings/finding.js';
import type { Construct } from '../internal/cdktf.js';
import { checkTree, placedMessage } from '../stack/declared-tree.js';

/**
 * Says of a stack in a test of your own that its checks find exactly what is expected, with any test runner.
 *
 * @param expected the rules that find something wrong (errors and warnings), each as often as it does. @default nothing is wrong
 * @returns everything that was found, open verdicts and advice included.
 * @throws Error that names what was found and not expected, with its line, and what was expected and not found.
 * @example
 * expectFindings(stack); // nothing is wrong
 * expectFindings(stack, ['group-description']);
 */
export function expectFindings(stack: Construct, expected: readonly string[] = []): readonly Finding[] {
  const findings = checkTree(stack);
  const wrong = findings.filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info');
  const missing = [...expected];
  const unexpected = wrong.filter(({ ruleId }) => {
    const at = missing.indexOf(ruleId);
    if (at !== -1) missing.splice(at, 1);
    return at === -1;
  });
  const lines = [
    ...unexpected.map((finding) => `not expected: ${placedMessage(finding)}`),
    ...missing.map((ruleId) => `expected, but not found: ${ruleId}`),
  ];
  if (lines.length > 0) throw new Error(`the checks of ${stack.node.path} differ:\n  ${lines.join('\n  ')}`);
  return findings;
}
