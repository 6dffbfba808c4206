import { testRule } from '../support/test-rule.js';

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
