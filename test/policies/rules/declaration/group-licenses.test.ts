import { testRule } from '../support/test-rule.js';
import { unifiedGroup } from '../support/stacks.js';

testRule('group-licenses', {
  finds: [
    [
      'licences for a group that controls no access',
      unifiedGroup('licenses: [ { skuId: 11111111-1111-1111-1111-111111111111 } ]'),
    ],
  ],
});
