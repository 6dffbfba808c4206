import { testRule } from '../support/test-rule.js';
import { eventstream } from '../support/stacks.js';

testRule('eventstream-node-type', {
  finds: [
    [
      'a misspelt type of node',
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpont } ], destinations: [] }',
      ),
    ],
  ],
});
