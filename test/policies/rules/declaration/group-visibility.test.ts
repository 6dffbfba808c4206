import { judge } from '../support/judge.js';
import { securityGroup, unifiedGroup } from '../support/stacks.js';

judge('group-visibility', {
  finds: [
    ["a visibility that doesn't exist", unifiedGroup('visibility: Hidden')],
    [
      'hidden membership in the spelling of the official provider',
      unifiedGroup('visibility: Hiddenmembership'),
    ],
    ['hidden members of a security group', securityGroup('visibility: HiddenMembership')],
  ],
});
