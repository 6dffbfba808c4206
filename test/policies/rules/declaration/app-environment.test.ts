import { rulesBrokenBy, testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

it('finds, as an error, an app whose environment is one with that named like the stack', async () => {
  const yaml = app('', 'environments: { test: { name: cae-apart } }');
  expect(await rulesBrokenBy(yaml)).toContain('app-environment');
});

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
