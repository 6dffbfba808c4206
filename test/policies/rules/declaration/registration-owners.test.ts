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
    [
      'the same owner twice, by an id in other letter case',
      'registrations: { l: { displayName: L, owners: [AAAAAAAA-1111-1111-1111-111111111111, aaaaaaaa-1111-1111-1111-111111111111] } }',
    ],
  ],
  passes: [
    [
      'two owners whose names differ in letter case',
      'registrations: { l: { displayName: L, owners: [d, D] } }\nprincipals: { d: { user: a@b.c }, D: { user: b@b.c } }',
    ],
  ],
});
