import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { declaredLifecyclePolicy } from '../../policies/sources/plan/lifecycle-policy.js';
import type { Construct, TerraformStack } from '../internal/cdktf.js';
import { CloudSettings, type CloudSettingsProps } from '../internal/cloud-settings.js';
import { stackOf } from '../internal/stack-nodes.js';
import { treeResources } from './tree-resources.js';

/**
 * What a stack of a construct tree says beside its declarations, in the form of castellan.yaml: its
 * name, its cloud settings and the expiration policy of groups. Empty outside of stacks.
 */
export function treeSettings(scope: Construct): Partial<StackConfig> {
  const stack = stackOf(scope);
  if (stack === undefined) return {};
  return {
    stack: stack.node.id,
    azure: azureSettings(CloudSettings.of(stack).settingsFor(stack)),
    ...omitUndefined({ groupLifecyclePolicy: lifecyclePolicyIn(stack) }),
  };
}

/** Without a resource group that another construct creates: castellan.yaml names it. */
function azureSettings({
  location,
  tenantId,
  subscriptionId,
  tags,
  resourceGroup,
}: CloudSettingsProps): NonNullable<StackConfig['azure']> {
  const isNamed =
    typeof resourceGroup === 'string' ||
    (resourceGroup !== undefined && 'existing' in resourceGroup);
  return omitUndefined({
    location,
    tenantId,
    subscriptionId,
    tags,
    resourceGroup: isNamed ? resourceGroup : undefined,
  });
}

function lifecyclePolicyIn(stack: TerraformStack): StackConfig['groupLifecyclePolicy'] {
  const isLifecyclePolicy = (type: string): boolean => type === 'castellan_group_lifecycle_policy';
  const [policy] = treeResources(stack, isLifecyclePolicy)
    .filter(({ type }) => isLifecyclePolicy(type))
    .map((resource) => declaredLifecyclePolicy(resource)?.value);
  return policy as StackConfig['groupLifecyclePolicy'];
}
