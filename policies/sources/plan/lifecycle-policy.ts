import type { Finding } from '../../../core/findings/finding.js';
import { groupLifecyclePolicy } from '../../../kinds/group/lifecycle-policy.js';
import { mappingsOf } from '../../../kinds/schema/mapping.js';
import { settingFindings } from '../../rules/declaration/schema-findings.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import { originOf } from './declarations.js';
import { type DeclaredValue, readDeclared } from './declared-value.js';
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
  const declared = declaredLifecyclePolicy(resource);
  if (declared === undefined) return [];
  const enabledRuleIds = new Set(rules.map(({ id }) => id));
  const origin = originOf(resource);
  // schema mistakes are found for disabled rules, too; Terraform has checked what is required
  return settingFindings('groupLifecyclePolicy', { ...declared, origin }, rules, locate).filter(
    ({ ruleId }) => enabledRuleIds.has(ruleId) && ruleId !== 'property-required',
  );
}

/** The expiration policy in the form of castellan.yaml; undefined if it is deleted. */
export function declaredLifecyclePolicy({
  before,
  after,
  afterUnknown,
}: PlannedResource): DeclaredValue | undefined {
  if (after === null || typeof after !== 'object') return undefined;
  return readDeclared(mappings, { after, afterUnknown, exists: before !== null });
}
