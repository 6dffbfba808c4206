import { testRule } from '../support/test-rule.js';
import { eventhouse } from '../support/stacks.js';

testRule('eventhouse-consumption-units', {
  finds: [
    ['units between two allowed numbers', eventhouse('minimumConsumptionUnits: 1')],
    ['units just above the largest single number', eventhouse('minimumConsumptionUnits: 50.5')],
    ['units above the range', eventhouse('minimumConsumptionUnits: 323')],
    [
      "units below zero, at the API's own place",
      eventhouse('creationPayload: { minimumConsumptionUnits: -1 }'),
    ],
  ],
  passes: [
    ['units with a fraction inside of the range', eventhouse('minimumConsumptionUnits: 51.5')],
  ],
});
