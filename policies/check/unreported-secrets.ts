import type { SourceLocation } from '../../core/findings/finding.js';
import { secretLocationsIn } from '../reporters/report.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { rules as catalogue } from '../rules/index.js';
import { secretRuleIds } from '../rules/declaration/app-secret-in-env.js';
import { checkStack } from './check-stack.js';
import { policyOf, type StackContext } from './stack-checks.js';

/** The places of a stack's secrets that no finding names, because the policy turns the rule off. */
export function unreportedSecrets(
  stack: LoadedStack,
  context: Pick<StackContext, 'policy' | 'environment' | 'env' | 'now'>,
): readonly SourceLocation[] {
  const { severityOf } = policyOf(stack, context);
  const rules = catalogue.filter(({ id }) => secretRuleIds.has(id) && severityOf(id) === 'off');
  return rules.length === 0 ? [] : secretLocationsIn(checkStack(stack, { ...context, rules }));
}
