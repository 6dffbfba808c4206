import { testRule } from '../support/test-rule.js';
import { securityGroup, unifiedGroup } from '../support/stacks.js';

const id = 'aaaaaaaa-1111-4111-8111-111111111111';

testRule('group-licenses', {
  finds: [
    [
      'licences for a group that controls no access',
      unifiedGroup('licenses: [ { skuId: 11111111-1111-1111-1111-111111111111 } ]'),
    ],
    [
      'one subscription in two letter cases',
      securityGroup(`licenses: [ { skuId: ${id} }, { skuId: ${id.toUpperCase()} } ]`),
    ],
  ],
});
