import { testRule } from '../support/test-rule.js';

testRule('app-name', {
  finds: [
    ['a capital letter in the name', 'containerApps: { Shop: { image: "ghcr.io/c/s:1.0.0" } }'],
    [
      'an underscore in the name, which the official provider lets pass',
      'containerApps: { ab_: { image: "ghcr.io/c/s:1.0.0" } }',
    ],
  ],
});
