import { testRule } from '../support/test-rule.js';
import { eventhouse } from '../support/stacks.js';

testRule('item-display-name', {
  finds: [
    ['a blank in the name', eventhouse('').replace('displayName: e', 'displayName: "e e"')],
    [
      'a letter beyond ASCII in the name',
      eventhouse('').replace('displayName: e', 'displayName: é'),
    ],
  ],
});
