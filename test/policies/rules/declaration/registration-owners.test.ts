import { testRule } from '../support/test-rule.js';

testRule('registration-owners', {
  finds: [
    [
      'a device as an owner',
      'registrations: { l: { displayName: L, owners: [d] } }\nprincipals: { d: { device: D } }',
    ],
    [
      'the same owner twice',
      'registrations: { l: { displayName: L, owners: [d, d] } }\nprincipals: { d: { user: a@b.c } }',
    ],
  ],
});
