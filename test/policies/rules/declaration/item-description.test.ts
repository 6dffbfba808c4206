import { testRule } from '../support/test-rule.js';
import { eventhouse, eventstream } from '../support/stacks.js';

testRule('item-description', {
  finds: [
    [
      'the description of an eventhouse with 257 characters',
      eventhouse('description: "' + 'x'.repeat(257) + '"'),
    ],
    [
      'the description of an eventstream with 257 characters',
      eventstream('description: "' + 'x'.repeat(257) + '"'),
    ],
  ],
});
