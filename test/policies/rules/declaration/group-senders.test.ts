import { testRule } from '../support/test-rule.js';
import { people, unifiedGroup } from '../support/stacks.js';

testRule('group-senders', {
  finds: [
    [
      'one sender among the accepted and the rejected',
      unifiedGroup('acceptedSenders: [ada], rejectedSenders: [ada]', people),
    ],
    [
      'one sender by an id in other letter case',
      unifiedGroup(
        'acceptedSenders: [AAAAAAAA-1111-1111-1111-111111111111], rejectedSenders: [aaaaaaaa-1111-1111-1111-111111111111]',
      ),
    ],
    ['a contact as an accepted sender', unifiedGroup('acceptedSenders: [con]', people)],
  ],
});
