import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('registration-secret-expiry', {
  finds: [
    [
      "an end on a day that doesn't exist",
      'registrations: { r: { displayName: R, secret: { expires: "2027-02-30T00:00:00Z" } } }',
    ],
    [
      'an end in the past',
      signIn(
        'providers: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, secret: { expires: "2026-01-01T00:00:00Z" } } }',
      ),
    ],
  ],
  passes: [
    [
      'an end on a leap day',
      'registrations: { r: { displayName: R, secret: { expires: "2028-02-29T00:00:00Z" } } }',
    ],
  ],
});
