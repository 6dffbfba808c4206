import { testRule } from '../support/test-rule.js';
import { people, securityGroup } from '../support/stacks.js';

testRule('group-owners-limit', {
  finds: [
    ['an empty list of owners', securityGroup('owners: []')],
    [
      '101 owners',
      securityGroup(
        'owners: [' +
          Array.from(
            { length: 101 },
            (_, i) => `11111111-1111-1111-1111-${String(i).padStart(12, '0')}`,
          ).join(', ') +
          ']',
      ),
    ],
    ['the same owner twice', securityGroup('owners: [ada, ada]', people)],
    [
      'the same owner twice, by an id in other letter case',
      securityGroup(
        'owners: [AAAAAAAA-1111-1111-1111-111111111111, aaaaaaaa-1111-1111-1111-111111111111]',
        people,
      ),
    ],
  ],
});
