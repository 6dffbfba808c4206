import { testRule } from '../support/test-rule.js';
import { people, securityGroup, unifiedGroup } from '../support/stacks.js';

testRule('group-member-kind', {
  finds: [
    ['a device in a unified group', unifiedGroup('members: [dev]', people)],
    ['a group in a unified group', unifiedGroup('members: [eg]', people)],
    [
      'a group of unknown kind in a unified group, which takes neither kind',
      unifiedGroup('members: [any]', 'principals: { any: { group: Any } }'),
    ],
    ['an application in a unified group', unifiedGroup('members: [sp]', people)],
    ['a contact in a unified group', unifiedGroup('members: [con]', people)],
    ['a unified group in a security group', securityGroup('members: [eu]', people)],
    [
      'the same member twice, by an id in other letter case',
      securityGroup(
        'members: [AAAAAAAA-1111-1111-1111-111111111111, aaaaaaaa-1111-1111-1111-111111111111]',
      ),
    ],
    ['a group that is a member of itself', securityGroup('members: [g]')],
  ],
  passes: [
    [
      'two people whose names differ in letter case',
      securityGroup(
        'owners: [ada, Ada], members: [ada, Ada]',
        'principals: { ada: { user: a@b.c }, Ada: { user: b@b.c } }',
      ),
    ],
    [
      'people, applications, devices, contacts and security groups in a security group',
      securityGroup('members: [ada, sp, dev, con, eg]', people),
    ],
  ],
});
