import { testRule } from '../support/test-rule.js';
import { people } from '../support/stacks.js';

testRule('workspace-roles', {
  finds: [
    [
      'two roles of one principal',
      people +
        '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Admin }, { principal: ada, role: Viewer } ] } }',
    ],
    [
      'a role of a device',
      people +
        '\nworkspaces: { w: { displayName: W, roles: [ { principal: dev, role: Admin } ] } }',
    ],
  ],
});
