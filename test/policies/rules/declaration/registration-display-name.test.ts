import { testRule } from '../support/test-rule.js';

testRule('registration-display-name', {
  finds: [
    [
      "a name that the portal can't edit",
      `registrations: { r: { displayName: ${'x'.repeat(121)} } }`,
    ],
  ],
  passes: [
    ['a name of 120 characters', `registrations: { r: { displayName: ${'x'.repeat(120)} } }`],
  ],
});
