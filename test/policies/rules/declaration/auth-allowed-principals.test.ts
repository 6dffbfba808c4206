import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

testRule('auth-allowed-principals', {
  finds: [
    [
      'a device among those who may sign in',
      signIn(
        'providers: { directory: { registration: l, allowedPrincipals: [d] } }',
        'registrations: { l: { displayName: L } }\nprincipals: { d: { device: D } }',
      ),
    ],
    [
      'a group among the people who may sign in',
      signIn(
        'providers: { directory: { registration: l, allowedPrincipals: [d] } }',
        'registrations: { l: { displayName: L } }\nprincipals: { d: { group: D } }',
      ),
    ],
  ],
});
