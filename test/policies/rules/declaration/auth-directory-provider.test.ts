import { testRule } from '../support/test-rule.js';
import { signIn } from '../support/stacks.js';

const registrations = 'registrations: { l: { displayName: L } }';

testRule('auth-directory-provider', {
  finds: [
    [
      'neither a registration nor a client id',
      signIn('providers: { directory: {  } }', registrations),
    ],
    [
      'a registration beside a client id',
      signIn(
        'providers: { directory: { registration: l, clientId: 11111111-1111-1111-1111-111111111111 } }',
        registrations,
      ),
    ],
    [
      'a secret beside the registration that makes one',
      signIn(
        'providers: { directory: { registration: l, clientSecret: "${env:S}" } }',
        registrations,
      ),
    ],
    [
      'a client id without a secret',
      signIn(
        'providers: { directory: { clientId: 11111111-1111-1111-1111-111111111111 } }',
        registrations,
      ),
    ],
  ],
  passes: [
    [
      'a registration of the stack',
      signIn('providers: { directory: { registration: l } }', registrations),
    ],
    [
      'a provider that is switched off',
      signIn(
        'providers: { directory: { enabled: false }, codehost: { clientId: a, clientSecret: "${env:S}" } }',
      ),
    ],
  ],
});
