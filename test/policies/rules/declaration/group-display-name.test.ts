import { testRule } from '../support/test-rule.js';
import { group } from '../support/stacks.js';

testRule('group-display-name', {
  finds: [
    ['an empty name', group('kind: security, displayName: ""')],
    ['a name of 257 characters', group('kind: security, displayName: "' + 'x'.repeat(257) + '"')],
  ],
});
