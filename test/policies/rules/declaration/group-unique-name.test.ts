import { testRule } from '../support/test-rule.js';
import { securityGroup } from '../support/stacks.js';

testRule('group-unique-name', {
  finds: [
    ['a unique name for a new group, which no apply can give it', securityGroup('uniqueName: g')],
  ],
});
