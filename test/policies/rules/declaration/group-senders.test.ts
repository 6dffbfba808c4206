import { judge } from '../support/judge.js';
import { people, unifiedGroup } from '../support/stacks.js';

judge('group-senders', {
  finds: [
    [
      'one sender among the accepted and the rejected',
      unifiedGroup('acceptedSenders: [ada], rejectedSenders: [ada]', people),
    ],
    ['a contact as an accepted sender', unifiedGroup('acceptedSenders: [con]', people)],
  ],
});
