import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-environment', {
  finds: [
    [
      "an app that doesn't choose between two environments",
      app('', 'environments: { blue: {}, green: {} }'),
    ],
  ],
  passes: [
    [
      'an app that chooses one of two environments',
      app('environment: blue', 'environments: { blue: {}, green: {} }'),
    ],
  ],
});
