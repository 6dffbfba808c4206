import { testRule } from '../support/test-rule.js';
import { group } from '../support/stacks.js';

testRule('group-kind', {
  finds: [
    [
      'a group with neither mail of a unified group nor access: a distribution list',
      group('displayName: G, mailEnabled: true, securityEnabled: false, groupTypes: []'),
    ],
    [
      'a mail-enabled security group',
      group('displayName: G, mailEnabled: true, securityEnabled: true, groupTypes: []'),
    ],
    [
      'a group for neither mail nor access',
      group('displayName: G, mailEnabled: false, securityEnabled: false'),
    ],
    [
      'a unified group without mail',
      group('displayName: G, groupTypes: [Unified], mailEnabled: false, securityEnabled: false'),
    ],
    [
      'the same type of group twice',
      group(
        'displayName: G, groupTypes: [Unified, Unified], mailEnabled: true, securityEnabled: false',
      ),
    ],
  ],
});
