import { testRule } from '../support/test-rule.js';
import { people, unifiedGroup } from '../support/stacks.js';

testRule('group-senders', {
  finds: [
    [
      'one sender among the accepted and the rejected',
      unifiedGroup('acceptedSenders: [ada], rejectedSenders: [ada]', people),
    ],
    ['a contact as an accepted sender', unifiedGroup('acceptedSenders: [con]', people)],
  ],
});
