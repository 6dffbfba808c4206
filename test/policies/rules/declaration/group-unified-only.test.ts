import { judge } from '../support/judge.js';
import { securityGroup } from '../support/stacks.js';

judge('group-unified-only', {
  finds: [
    ['a theme of a security group', securityGroup('theme: Red')],
    ['an expiration of a security group', securityGroup('expirationPolicy: { renewable: true }')],
  ],
});
