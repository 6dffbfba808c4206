import { judge } from '../support/judge.js';
import { securityGroup } from '../support/stacks.js';

judge('group-processing-state', {
  finds: [
    [
      'a processing state in small letters',
      securityGroup(
        'dynamicMembership: { rule: "user.department -eq \\"b\\"", processing: paused }',
      ),
    ],
  ],
});
