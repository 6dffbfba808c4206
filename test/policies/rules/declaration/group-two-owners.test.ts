import { judge } from '../support/judge.js';
import { people, securityGroup } from '../support/stacks.js';

judge('group-two-owners', {
  finds: [
    ['a group without owners', securityGroup('')],
    ['a group with one owner', securityGroup('owners: [ada]', people)],
  ],
  passes: [
    ['a group with two owners', securityGroup('owners: [ada, sp]', people)],
    ['a group whose owners are managed elsewhere', securityGroup('ownersManagedElsewhere: true')],
  ],
});
