import { judge } from '../support/judge.js';
import { eventstream } from '../support/stacks.js';

judge('eventstream-node-type', {
  finds: [
    [
      'a misspelt type of node',
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpont } ], destinations: [] }',
      ),
    ],
  ],
});
