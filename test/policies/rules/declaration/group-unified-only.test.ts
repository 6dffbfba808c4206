import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

testRule('group-unified-only', {
  finds: [
    ['a theme of a security group', securityGroup('theme: Red')],
    ['an expiration of a security group', securityGroup('expirationPolicy: { renewable: true }')],
  ],
});
