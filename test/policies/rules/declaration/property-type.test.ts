import { testRule } from '../support/test-rule.js';
import { app, eventhouse } from '../support/stacks.js';

testRule('property-type', {
  finds: [['units as a text', eventhouse('minimumConsumptionUnits: "4.25"')]],
  passes: [['a command of the sandbox as one text', app('sandbox: { command: node }')]],
});
