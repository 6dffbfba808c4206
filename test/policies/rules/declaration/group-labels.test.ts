import { testRule } from '../support/test-rule.js';
import { securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-labels', {
  finds: [
    [
      'a label of a security group, which never changes',
      securityGroup('assignedLabels: [ { labelId: 11111111-1111-1111-1111-111111111111 } ]'),
    ],
    [
      'a label of a unified group, which a person has to set',
      unifiedGroup('assignedLabels: [ { labelId: 11111111-1111-1111-1111-111111111111 } ]'),
    ],
  ],
  passes: [['no label', unifiedGroup('assignedLabels: []')]],
});
