import { rulesBrokenBy, testRule } from '../support/test-rule.js';
import { people } from '../support/stacks.js';

const id = 'aaaaaaaa-1111-4111-8111-111111111111';

testRule('workspace-roles', {
  finds: [
    [
      'two roles of one principal',
      people +
        '\nworkspaces: { w: { displayName: W, roles: [ { principal: ada, role: Admin }, { principal: ada, role: Viewer } ] } }',
    ],
    [
      'two roles of one id in two letter cases',
      `workspaces: { w: { displayName: W, roles: [ { principal: ${id}, role: Admin }, { principal: ${id.toUpperCase()}, role: Viewer } ] } }`,
    ],
    [
      'a role of a device',
      people +
        '\nworkspaces: { w: { displayName: W, roles: [ { principal: dev, role: Admin } ] } }',
    ],
  ],
});

it('does not compare roles without a principal', async () => {
  const roles = '[ { role: Admin }, { role: Viewer } ]';
  const broken = await rulesBrokenBy(`workspaces: { w: { displayName: W, roles: ${roles} } }`);
  expect(new Set(broken)).toEqual(new Set(['property-required']));
});
