import { testRule } from '../support/test-rule.js';
import { group, securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-dynamic-rule', {
  finds: [
    [
      'dynamic membership without a rule',
      group(
        'displayName: G, groupTypes: [DynamicMembership], mailEnabled: false, securityEnabled: true',
      ),
    ],
    [
      "a rule with an operator that doesn't exist",
      securityGroup('dynamicMembership: { rule: "user.department = b" }'),
    ],
    [
      "a rule over a property that users don't have",
      securityGroup('dynamicMembership: { rule: "user.nothing -eq \\"b\\"" }'),
    ],
    [
      'a rule over groups',
      securityGroup('dynamicMembership: { rule: "group.displayName -eq \\"b\\"" }'),
    ],
    [
      'a rule over users and devices at once',
      securityGroup(
        'dynamicMembership: { rule: "(user.department -eq \\"b\\") -and (device.displayName -eq \\"b\\")" }',
      ),
    ],
    [
      'devices by a rule in a unified group',
      unifiedGroup('dynamicMembership: { rule: "device.displayName -eq \\"b\\"" }'),
    ],
    [
      'a rule of more than 3,072 characters',
      securityGroup(
        'dynamicMembership: { rule: "user.department -eq \\"' + 'b'.repeat(3060) + '\\"" }',
      ),
    ],
  ],
});
