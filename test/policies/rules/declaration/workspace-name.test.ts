import { testRule } from '../support/test-rule.js';

testRule('workspace-name', {
  finds: [['a name that the service reserves', 'workspaces: { w: { displayName: my workspace } }']],
});
