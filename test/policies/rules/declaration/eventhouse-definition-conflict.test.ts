import { judge } from '../support/judge.js';
import { eventhouse } from '../support/stacks.js';

judge('eventhouse-definition-conflict', {
  finds: [
    [
      'a definition beside units',
      eventhouse(
        'minimumConsumptionUnits: 0, definition: { parts: [ { path: EventhouseProperties.json, payload: e30= } ] }',
      ),
    ],
  ],
});
