import { rulesBrokenBy, testRule } from '../support/test-rule.js';

test('a permission that only objects inherit is not powerful', async () => {
  const broken = await rulesBrokenBy(
    'registrations: { r: { displayName: R, requiredPermissions: [ { resourceAppId: 00000003-0000-0000-c000-000000000000, roles: [constructor] } ] } }',
  );
  expect(broken).toContain('property-value');
  expect(broken).not.toContain('registration-least-privilege');
});

testRule('registration-least-privilege', {
  finds: [
    [
      'power over the whole directory',
      'registrations: { r: { displayName: R, requiredPermissions: [ { resourceAppId: 00000003-0000-0000-c000-000000000000, roles: [19dbc75e-c2e2-444c-a770-ec69d8559fc7] } ] } }',
    ],
    [
      'access tokens of the implicit flow',
      'registrations: { r: { displayName: R, accessTokens: true } }',
    ],
  ],
  passes: [
    [
      'the permission to read the profile of the signed-in person',
      'registrations: { r: { displayName: R, requiredPermissions: [ { resourceAppId: 00000003-0000-0000-c000-000000000000, scopes: [e1fe6dd8-ba31-4d61-89e7-88639da4683d] } ] } }',
    ],
  ],
});
