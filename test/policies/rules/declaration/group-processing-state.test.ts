import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

testRule('group-processing-state', {
  finds: [
    [
      'a processing state in small letters',
      securityGroup(
        'dynamicMembership: { rule: "user.department -eq \\"b\\"", processing: paused }',
      ),
    ],
  ],
});
