import type { Finding } from '../../../core/findings/finding.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { mappingsOf } from '../../../kinds/schema/mapping.js';
import { settingFindings } from '../../rules/declaration/schema-findings.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import { originOf } from './declarations.js';
import { readDeclared } from './declared-value.js';
import type { PlannedResource } from '../../engine/planned-resource.js';

const mappings = mappingsOf(groupLifecyclePolicy, 'castellan_group_lifecycle_policy');

/**
 * The mistakes in the tenant's expiration policy, which is a setting of the stack, not a
 * declaration.
 */
export function lifecycleFindings(
  resource: PlannedResource,
  { rules, locate }: PlanCheckOptions,
): readonly Finding[] {
  if (resource.after === null || typeof resource.after !== 'object') return [];
  const { after, afterUnknown } = resource;
  const { value, unknownPaths } = readDeclared(mappings, {
    after,
    afterUnknown,
    exists: resource.before !== null,
  });
  const enabledRuleIds = new Set(rules.map(({ id }) => id));
  const origin = originOf(resource);
  // schema mistakes are found for disabled rules, too; Terraform has checked what is required
  return settingFindings(
    'groupLifecyclePolicy',
    { value, unknownPaths, origin },
    rules,
    locate,
  ).filter(({ ruleId }) => enabledRuleIds.has(ruleId) && ruleId !== 'property-required');
}
