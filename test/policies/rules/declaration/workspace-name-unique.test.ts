import { testRule } from '../support/test-rule.js';

testRule('workspace-name-unique', {
  finds: [
    [
      'two workspaces with one name in other letter case',
      'workspaces: { w: { displayName: A }, v: { displayName: a } }',
    ],
  ],
});
