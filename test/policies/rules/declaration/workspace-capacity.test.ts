import { testRule } from '../support/test-rule.js';

testRule('workspace-capacity', {
  finds: [
    [
      'an eventhouse in a workspace without a capacity',
      'workspaces: { w: { displayName: W } }\neventhouses: { a: { workspace: w, displayName: x } }',
    ],
  ],
});
