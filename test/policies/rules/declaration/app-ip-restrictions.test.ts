import { testRule } from '../support/test-rule.js';
import { servedApp } from '../support/stacks.js';

testRule('app-ip-restrictions', {
  finds: [
    [
      "a range that isn't one",
      servedApp('').replace(
        '{ external: true }',
        '{ external: true, ipRestrictions: [ { name: a, action: allow, range: 999.1.1.1/99 } ] }',
      ),
    ],
  ],
});
