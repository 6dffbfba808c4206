import { testRule } from '../support/test-rule.js';
import { eventstream } from '../support/stacks.js';

testRule('eventstream-destination', {
  finds: [
    [
      "a destination in an eventhouse that doesn't exist",
      eventstream(
        'definition: { sources: [ { name: in, type: CustomEndpoint } ], destinations: [ { name: out, type: Eventhouse, eventhouse: nope, properties: { dataIngestionMode: DirectIngestion } } ] }',
      ),
    ],
  ],
});
