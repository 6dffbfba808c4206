import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('registration-redirect-uris', {
  finds: [
    [
      'the callback of another provider',
      signIn(
        'providers: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/google/callback"] } }',
      ),
    ],
    [
      'the start of a sign-in in place of its end',
      signIn(
        'providers: { directory: { registration: l } }',
        'registrations: { l: { displayName: L, redirectUris: ["https://shop.example/.auth/login/aad"] } }',
      ),
    ],
  ],
});
