import { testRule } from '../support/test-rule.js';

testRule('principal-kind', {
  finds: [
    ['a principal without a kind', 'principals: { a: {} }'],
    ['a principal of two kinds', 'principals: { a: { user: a@b.c, device: x } }'],
    ['a group kind for a user', 'principals: { a: { user: a@b.c, groupKind: security } }'],
  ],
});
