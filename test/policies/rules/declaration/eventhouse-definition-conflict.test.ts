import { testRule } from '../support/test-rule.js';
import { eventhouse } from '../support/stacks.js';

testRule('eventhouse-definition-conflict', {
  finds: [
    [
      'a definition beside units',
      eventhouse(
        'minimumConsumptionUnits: 0, definition: { parts: [ { path: EventhouseProperties.json, payload: e30= } ] }',
      ),
    ],
  ],
});
