import { testRule } from '../support/test-rule.js';
import { securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-visibility', {
  finds: [
    ["a visibility that doesn't exist", unifiedGroup('visibility: Hidden')],
    [
      'hidden membership in the spelling of the official provider',
      unifiedGroup('visibility: Hiddenmembership'),
    ],
    ['hidden members of a security group', securityGroup('visibility: HiddenMembership')],
  ],
});
