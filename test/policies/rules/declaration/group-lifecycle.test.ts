import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-lifecycle', {
  finds: [
    [
      'a group that expires while the policy is for none',
      unifiedGroup(
        'expirationPolicy: { renewable: true }',
        'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: None }',
      ),
    ],
    [
      "a group that doesn't expire while the policy is for all",
      unifiedGroup(
        'expirationPolicy: { renewable: false }',
        'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: All }',
      ),
    ],
  ],
  passes: [
    [
      'a group that expires by a policy for selected groups',
      unifiedGroup(
        'expirationPolicy: { renewable: true }',
        'groupLifecyclePolicy: { groupLifetimeInDays: 180, managedGroupTypes: Selected }',
      ),
    ],
  ],
});
