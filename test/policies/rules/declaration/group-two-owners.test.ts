import { testRule } from '../support/test-rule.js';
import { people, securityGroup } from '../support/stacks.js';

testRule('group-two-owners', {
  finds: [
    ['a group without owners', securityGroup('')],
    ['a group with one owner', securityGroup('owners: [ada]', people)],
  ],
  passes: [
    ['a group with two owners', securityGroup('owners: [ada, sp]', people)],
    ['a group whose owners are managed elsewhere', securityGroup('ownersManagedElsewhere: true')],
  ],
});
