import { testRule } from '../support/test-rule.js';

testRule('principal-twice', {
  finds: [
    [
      'one user under two names, in other letter case',
      'principals: { ada: { user: ada@c.example }, lovelace: { user: Ada@c.example } }',
    ],
  ],
  passes: [
    [
      'a user and a contact with one address, which are two',
      'principals: { ada: { user: ada@c.example }, office: { contact: 11111111-1111-1111-1111-111111111111 } }',
    ],
  ],
});
