import { testRule } from '../support/test-rule.js';
import { servedApp } from '../support/stacks.js';

testRule('app-ip-restrictions', {
  finds: [
    [
      'an address range that is not valid',
      servedApp('').replace(
        '{ external: true }',
        '{ external: true, ipRestrictions: [ { name: a, action: allow, range: 999.1.1.1/99 } ] }',
      ),
    ],
  ],
});
