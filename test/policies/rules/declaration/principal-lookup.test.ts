import { testRule } from '../support/test-rule.js';

testRule('principal-lookup', {
  finds: [
    ['a device by its name', 'principals: { laptop: { device: laptop-7 } }'],
    ['a contact by its address', 'principals: { office: { contact: office@c.example } }'],
  ],
  passes: [
    [
      'a device by its object id',
      'principals: { laptop: { device: 11111111-1111-1111-1111-111111111111 } }',
    ],
    ['a user by the user principal name', 'principals: { ada: { user: ada@c.example } }'],
  ],
});
