import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-outside-store', {
  finds: [
    [
      'a setting of the mailbox, which an application may not make',
      unifiedGroup('autoSubscribeNewMembers: true'),
    ],
  ],
  passes: [['a group without settings of the mailbox', unifiedGroup('theme: Teal')]],
});
