import { testRule } from '../support/test-rule.js';

testRule('principal-kind', {
  finds: [
    ['a principal that is nothing', 'principals: { a: {} }'],
    ['a principal that is two things', 'principals: { a: { user: a@b.c, device: x } }'],
    ['the kind of a group, of a user', 'principals: { a: { user: a@b.c, groupKind: security } }'],
  ],
});
