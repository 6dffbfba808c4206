import { testRule } from '../support/test-rule.js';

testRule('registration-redirect-wildcard', {
  finds: [
    [
      'any host of a domain',
      'registrations: { r: { displayName: R, redirectUris: ["https://*.shop.example/callback"] } }',
    ],
  ],
  passes: [
    [
      'the hosts one by one',
      'registrations: { r: { displayName: R, redirectUris: ["https://a.shop.example/callback"] } }',
    ],
  ],
});
