import { testRule } from '../support/test-rule.js';
import { app } from '../support/stacks.js';

testRule('app-traffic', {
  finds: [
    [
      'shares that add up to more than 100',
      app(
        'revision: { mode: multiple, traffic: [ { latest: true, weight: 100 }, { revision: a, weight: 50 } ] }',
      ),
    ],
    [
      'one label for two revisions',
      app(
        'revision: { mode: multiple, traffic: [ { latest: true, weight: 50, label: a }, { revision: b, weight: 50, label: a } ] }',
      ),
    ],
    [
      'a share for a named revision while only one revision runs',
      app('revision: { traffic: [ { revision: b, weight: 100 } ] }'),
    ],
  ],
});
