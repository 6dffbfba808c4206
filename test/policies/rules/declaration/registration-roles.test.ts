import { testRule } from '../support/test-rule.js';

testRule('registration-roles', {
  finds: [
    [
      'two roles with one id',
      'registrations: { l: { displayName: L, appRoles: [ { id: 11111111-1111-1111-1111-111111111111, displayName: a, description: b, value: x, allowedMemberTypes: [User] }, { id: 11111111-1111-1111-1111-111111111111, displayName: a, description: b, value: x, allowedMemberTypes: [User] } ] } }',
    ],
  ],
});
