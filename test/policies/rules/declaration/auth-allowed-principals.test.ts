import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

const id = 'aaaaaaaa-1111-4111-8111-111111111111';

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
    [
      'one id in two letter cases',
      signIn(
        `providers: { directory: { registration: l, allowedPrincipals: [${id}, ${id.toUpperCase()}] } }`,
        'registrations: { l: { displayName: L } }',
      ),
    ],
  ],
});
